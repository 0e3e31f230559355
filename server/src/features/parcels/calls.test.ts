import { afterAll, beforeAll, expect, it } from 'vitest';
import type { MerchantCall } from '@waystation/contract/merchant.ts';
import { parcelClient } from '#testing/parcel-client.ts';
import { openTestSystem } from '#testing/test-system.ts';
import type { TestSystem } from '#testing/test-system.ts';

let system: TestSystem;
beforeAll(async () => {
  system = await openTestSystem();
  await system.topUp('nanshan', 1_000_000);
});
afterAll(() => system.close());

it('the calls about a parcel are listed for the office, newest first, without secrets and with masked phones; nobody else gets them', async () => {
  const clerk = await parcelClient(system);
  const ordered = async () => clerk.until((await clerk.order({ receive_phone: '13911112222' })).data.id, 100);
  const [parcel, other] = [await ordered(), await ordered()];
  const read = (token: string, id: number) => system.call<{ items: MerchantCall[] }>(token, 'GET', `/api/arco/expresses/${id}/calls`);
  const { data } = await read(await system.login('admin'), parcel.id);
  expect(data.items.length).toBeGreaterThan(0);
  expect(data.items.map(({ operation }) => operation)).toContain('create');
  expect(data.items.every(({ express_id, order_id }) => express_id === parcel.id && order_id === parcel.order_id)).toBe(true);
  expect(data.items.map(({ id }) => id)).toEqual(data.items.map(({ id }) => id).toSorted((a, b) => b - a));
  expect(JSON.stringify(data)).not.toMatch(/13911112222|app_secret/);
  expect((await read(await system.login('super'), other.id)).data.items.some(({ express_id }) => express_id === parcel.id)).toBe(false);
  for (const token of [clerk.token, await system.login('station'), await system.login('partner')]) expect((await read(token, parcel.id)).status).toBe(403);
});
