import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import { archiveWords } from './archive-words.ts';
import { ConfigError } from '#config.ts';

const plain = { verify: false, base: false, at: null };

it('backup names a folder or a pipe, or asks for a base copy; restore a file, a pipe, or a folder with a moment', () => {
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
  expect(archiveWords('rehearse', [])).toEqual({ ...plain, target: '-' });
  expect(archiveWords('start', [])).toEqual({ ...plain, target: '-' });
});

it('words that mean nothing are refused with how the command is used', () => {
  for (const [command, words] of [
    ['backup', []],
    ['backup', ['-', '--verify']],
    ['backup', ['a', '--base']],
    ['restore', []],
    ['restore', ['a', '--at']],
    ['restore', ['-', '--at', 'latest']],
    ['restore', ['a', 'b']],
    ['rehearse', ['a', 'b']],
  ] as const)
    expect(() => archiveWords(command, words), words.join(' ')).toThrow(ConfigError);
});
