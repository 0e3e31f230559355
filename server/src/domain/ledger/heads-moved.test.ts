import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ledgerTasks } from './ledger.ts';
import { mostUnwritten } from './proof-tasks.ts';
import { openMoney } from '#testing/money.ts';
import { runHandler } from '#testing/run-handler.ts';
import { addStation } from '#testing/stations.ts';
import { createTestApp } from '#testing/test-app.ts';
import type { TestApp } from '#testing/test-app.ts';

const folder = mkdtempSync(join(tmpdir(), 'heads-moved-'));
const file = join(folder, 'heads.jsonl');
let app: TestApp;
beforeAll(async () => {
  app = await createTestApp({ headsFile: file });
});
afterAll(async () => {
  await app.close();
  rmSync(folder, { recursive: true });
});

const lines = (): number =>
  existsSync(file) ? readFileSync(file, 'utf8').trimEnd().split('\n').length : 0;

it('the last links of the hash chains are written to the file each time a chain has the maximum number of unwritten links, and not before', async () => {
  const station = await addStation(app.db);
  const { fill } = openMoney(app);
  const grow = async (links: number): Promise<void> => {
    for (let n = 0; n < links; n++) await fill(station, 100);
    await runHandler(ledgerTasks, 'ledger_heads_moved', app);
  };
  await grow(mostUnwritten - 1);
  expect(lines()).toBe(0);
  await grow(1);
  expect(lines()).toBe(1);
  await grow(mostUnwritten - 1);
  expect(lines()).toBe(1);
  await grow(1);
  expect(lines()).toBe(2);
});
