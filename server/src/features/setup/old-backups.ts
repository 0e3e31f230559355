import { readdir, rm } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import type { App } from '#app.ts';
import { sql } from '#platform/db/db.ts';
import { systemScope } from '#platform/db/scope.ts';
import { readSetting } from '#platform/settings.ts';

/** The number of files that are kept, however old they are. */
const fewest = 7;

const stampOf = (name: string): Date | null => {
  const found = /^waystation-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z\.backup$/.exec(name);
  if (!found) return null;
  const [, year, month, day, hour, minute, second] = found;
  return new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
};

export interface StoredBackup {
  name: string;
  finished_at: Date;
  verified_at: Date | null;
  problem: string | null;
}

/**
 * Returns those existing files that may be deleted. The newest good files, the last verified file,
 * and all files younger than the limit by name or record are kept. Only the newest of the files
 * that could not be verified is kept.
 */
export const oldBackups = (files: readonly StoredBackup[], before: Date): string[] => {
  const newest = files.toSorted((one, other) => (one.name < other.name ? 1 : -1));
  const good = newest.filter(({ problem }) => problem === null);
  const [verified] = good
    .filter(({ verified_at }) => verified_at !== null)
    .toSorted((one, other) => other.verified_at!.getTime() - one.verified_at!.getTime());
  const kept = new Set([...good.slice(0, fewest), verified]);
  const [bad, ...worse] = newest.filter(({ problem }) => problem !== null);
  return [
    ...good.filter((file) => {
      const stamp = stampOf(file.name);
      return !kept.has(file) && stamp !== null && stamp < before && file.finished_at < before;
    }),
    ...worse,
    // The last failed backup is useless too if a good backup was made after it.
    ...(bad && good[0] && good[0].name > bad.name ? [bad] : []),
  ].map(({ name }) => name);
};

/**
 * Removes the files of old backups. Only files in this folder that this installation recorded since
 * its last generation are removed. A restored copy of the database mentions the original's files,
 * and other installations may use the folder too. Ages are measured by the database's clock.
 */
export const removeOldBackups = async ({
  db,
  config: { backupDir },
  log,
}: Pick<App, 'db' | 'log'> & { config: Pick<App['config'], 'backupDir'> }): Promise<void> => {
  if (backupDir === null) return;
  const there = new Set(await readdir(backupDir).catch(() => []));
  const names = await db.tx(systemScope('old backups'), async (work) => {
    const days = await readSetting(work, 'backup_keep_days');
    const { rows } = await sql<
      Omit<StoredBackup, 'name'> & { stored_as: string; before: Date }
    >`select stored_as, finished_at, verified_at, problem,
        now() - ${days} * interval '1 day' as before
      from backups where finished_at is not null
        and begun_at > coalesce((select max(at) from number_generations), '-infinity')
      order by id desc limit 5000`.execute(work.tx);
    const files = rows
      .filter(({ stored_as }) => dirname(stored_as) === resolve(backupDir))
      .map(({ stored_as, ...row }) => ({ ...row, name: basename(stored_as) }))
      .filter(({ name }) => stampOf(name) !== null && there.has(name));
    return rows[0] ? oldBackups(files, rows[0].before) : [];
  });
  for (const name of names)
    try {
      await rm(join(backupDir, name), { force: true });
      await rm(join(backupDir, `${name}.json`), { force: true });
    } catch (error) {
      log.warn({ err: error, name }, 'an old backup could not be removed');
    }
};
