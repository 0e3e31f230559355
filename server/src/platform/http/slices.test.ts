import * as z from 'zod/mini';
import { expect, it } from 'vitest';
import { parseInSlices } from './slices.ts';

const output = z.object({ items: z.array(z.object({ id: z.int() })), total: z.int() });
const rows = (count: number): unknown[] => Array.from({ length: count }, (_, id) => ({ id, secret: 'x' }));

it.each([0, 25, 26, 200])('a list of %d rows is cut to the contract as a whole parse cuts it', async (count) => {
  const answer = { total: count, items: rows(count), undeclared: 1 };
  expect(await parseInSlices(output, answer)).toEqual({ success: true, data: output.parse(answer) });
});

it('a row that violates the contract fails the list, whichever slice it is in', async () => {
  const items = rows(60);
  items[59] = { id: 'none' };
  expect((await parseInSlices(output, { total: 60, items })).success).toBe(false);
  expect((await parseInSlices(output, { total: 'none', items: rows(60) })).success).toBe(false);
});

it('others are served between the slices', async () => {
  const order: string[] = [];
  const parsed = parseInSlices(output, { total: 200, items: rows(200) }).then(() => order.push('parsed'));
  const served = new Promise<void>((resolve) => setImmediate(() => resolve())).then(() => order.push('served'));
  await Promise.all([parsed, served]);
  expect(order).toEqual(['served', 'parsed']);
});
