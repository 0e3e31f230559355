import { expect, it } from 'vitest';
import { isDiskFull, readDisks } from './disks.ts';

it('the disk of a missing folder is reported without free space, and the other disks are still reported', async () => {
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
