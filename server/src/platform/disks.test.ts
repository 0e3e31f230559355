import { expect, it } from 'vitest';
import { isDiskFull, readDisks } from './disks.ts';

it('a folder that is missing is reported as a disk that is away, and does not hide the other disks', async () => {
  const disks = await readDisks({
    databaseUrl: null,
    dataDir: '/',
    headsFile: null,
    backupDir: '/nonexistent/backups',
    walDir: null,
  });
  expect(disks).toMatchObject([
    { place: '/', free: expect.any(Number), total: expect.any(Number) },
    { place: '/nonexistent/backups', free: null, total: null },
  ]);
  expect(isDiskFull(disks[1]!)).toBe(false);
});
