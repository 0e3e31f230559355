import { expect, it } from 'vitest';
import { memorySettings, mostWalBytes } from '#platform/embedded/cluster.ts';
import { neededBytes } from './recover.ts';
import { segmentBytes } from './wal-files.ts';

const segments = Array.from(
  { length: 400 },
  (_, at) => `0000000100000000${(256 + at).toString(16).toUpperCase().padStart(8, '0')}`,
);

it('a restore needs disk space for the log files that it replays, but at most for max_wal_size', () => {
  const room = (from: string): number => neededBytes({ from, files_bytes: 5e9 }, segments);
  expect(room(segments.at(-1)!) - 6e9).toBe(segmentBytes);
  expect(room(segments.at(-100)!) - 6e9).toBe(100 * segmentBytes);
  expect(room(segments[0]!) - 6e9).toBe(mostWalBytes);
  const { max_wal_size } = memorySettings(1e12);
  expect(max_wal_size).toBe(`${mostWalBytes / 1024 ** 2}MB`);
});
