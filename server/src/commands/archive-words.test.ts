import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import { archiveWords } from './archive-words.ts';
import { ConfigError } from '#config.ts';

const plain = { verify: false, base: false, at: null, rehearse: false, remove: false };

it('the backup and restore commands accept each documented combination of a target and options', () => {
  expect(archiveWords('backup', ['a'])).toEqual({ ...plain, target: resolve('a') });
  expect(archiveWords('backup', ['--verify', 'a'])).toMatchObject({ verify: true });
  expect(archiveWords('backup', ['-'])).toEqual({ ...plain, target: '-' });
  expect(archiveWords('backup', ['--base'])).toEqual({ ...plain, target: '-', base: true });
  expect(archiveWords('restore', ['a', '--verify'])).toMatchObject({ verify: true, at: null });
  expect(archiveWords('restore', ['a', '--at', 'latest'])).toEqual({
    ...plain,
    target: resolve('a'),
    at: 'latest',
  });
  expect(archiveWords('restore', ['--rehearse'])).toMatchObject({ rehearse: true, target: '-' });
  expect(archiveWords('backup', ['--remove', 'a'])).toEqual({
    ...plain,
    target: resolve('a'),
    remove: true,
  });
  expect(archiveWords('rehearse', [])).toEqual({ ...plain, target: '-' });
  expect(archiveWords('start', [])).toEqual({ ...plain, target: '-' });
});

it('missing or wrong command-line words of backup, restore and rehearse are refused', () => {
  for (const [command, words] of [
    ['backup', []],
    ['backup', ['-', '--verify']],
    ['backup', ['a', '--base']],
    ['backup', ['--remove']],
    ['backup', ['--remove', '--base']],
    ['restore', ['--rehearse', 'a']],
    ['restore', []],
    ['restore', ['a', '--at']],
    ['restore', ['-', '--at', 'latest']],
    ['restore', ['a', 'b']],
    ['rehearse', ['a', 'b']],
  ] as const)
    expect(() => archiveWords(command, words), words.join(' ')).toThrow(ConfigError);
});
