import { resolve } from 'node:path';
import { ConfigError } from '#config.ts';

/** The arguments after `backup`, `restore` and `rehearse`. */
interface ArchiveWords {
  /** The folder or file. `-` is standard output or input, and is used if no target is given. */
  target: string;
  verify: boolean;
  /** True for `backup --base`. */
  base: boolean;
  /** The `--at` value of `restore FOLDER --at MOMENT`; null if the option is missing. */
  at: string | null;
  /** True for `restore --rehearse`. */
  rehearse: boolean;
  /** True for `backup --remove FOLDER`. */
  remove: boolean;
}

/** Reads the command's words; throws a ConfigError with the usage if they are wrong. */
export const archiveWords = (command: string, words: readonly string[]): ArchiveWords => {
  const [first, second] = words;
  const base = command === 'backup' && words.length === 1 && first === '--base';
  const rehearse = command === 'restore' && words.length === 1 && first === '--rehearse';
  const remove =
    command === 'backup' && words.length === 2 && first === '--remove' && !second!.startsWith('-');
  if (remove) return { target: resolve(second!), verify: false, base, at: null, rehearse, remove };
  const place = command === 'restore' ? words.indexOf('--at') : -1;
  const at = place === -1 ? null : (words[place + 1] ?? '');
  const rest = at === null ? words : words.toSpliced(place, 2);
  const [target, ...more] = rest.filter((word) => word !== '--verify');
  const fits = target !== undefined && !target.startsWith('--') && more.length === 0;
  if (command === 'backup' && !base && !(fits && (words.length === 1 || target !== '-')))
    throw new ConfigError(
      'Usage: backup FOLDER [--verify], backup - to write to standard output, backup --base for a base copy in WAYSTATION_WAL_DIR, or backup --remove FOLDER for an old archive in it',
    );
  if (
    command === 'restore' &&
    !rehearse &&
    !(fits && (at === null || (at !== '' && target !== '-')))
  )
    throw new ConfigError(
      'Usage: restore FILE [--verify], restore - to read standard input, restore FOLDER --at MOMENT from an archive of the log, or restore --rehearse to try that',
    );
  if (command === 'rehearse' && words.length > 1) throw new ConfigError('Usage: rehearse [FILE]');
  return {
    target: base || rehearse || target === undefined || target === '-' ? '-' : resolve(target),
    verify: rest.includes('--verify'),
    base,
    at,
    rehearse,
    remove,
  };
};
