import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AuditRow } from '@waystation/contract/shell/audit.ts';
import type { Cargo } from '@waystation/contract/parcels/cargo.ts';
import { openTestSystem } from '#testing/test-system.ts';
import type { TestSystem } from '#testing/test-system.ts';
import { evenPriorities, reordered } from './cargo-order.ts';

describe('the order of goods kinds', () => {
  it('reordering some goods kinds exchanges only the positions of these kinds, and all other kinds keep their positions', () => {
    expect(reordered([1, 2, 3, 4, 5], [5, 2])).toEqual([1, 5, 3, 4, 2]);
    expect(reordered([1, 2, 3], [3])).toEqual([1, 2, 3]);
  });

  it('reordering keeps the priorities of goods kinds if they already descend, and assigns new descending priorities if some are equal', () => {
    expect(evenPriorities([900, 20, 7])).toEqual([900, 20, 7]);
    expect(evenPriorities([5, 5, 0])).toEqual([30, 20, 10]);
    const many = evenPriorities(Array.from({ length: 5_000 }, () => 0));
    expect([many[0], many.at(-1), new Set(many).size]).toEqual([5_000, 1, 5_000]);
  });
});

describe('putting goods kinds in order', () => {
  let system: TestSystem;
  let admin: string;
  beforeAll(async () => {
    system = await openTestSystem();
    admin = await system.login('admin');
  });
  afterAll(() => system.close());
  const base = '/api/arco/cargos';
  const list = async (): Promise<Cargo[]> =>
    (await system.call<{ items: Cargo[] }>(admin, 'GET', `${base}?page_size=200`)).data.items;

  it('reordering goods kinds changes the list at once, and is recorded in the history of the moved rows only', async () => {
    const before = await list();
    const ids = before.map(({ id }) => id);
    const wanted = [ids[1]!, ids[0]!, ...ids.slice(2)];
    expect((await system.call(admin, 'POST', `${base}/order`, { ids: wanted })).data).toMatchObject(
      { changed: expect.any(Number) as number },
    );
    const after = await list();
    expect(after.map(({ id }) => id)).toEqual(wanted);
    const moved = after.find(({ id }) => id === ids[1])!;
    const { data } = await system.call<{ items: AuditRow[] }>(
      admin,
      'GET',
      `/api/arco/audit?subject=cargos&subject_id=${moved.id}`,
    );
    expect(data.items[0]).toMatchObject({
      action: 'order',
      changes: { priority: [before[1]!.priority, moved.priority] },
    });
    expect((await system.call(admin, 'POST', `${base}/order`, { ids: wanted })).data).toEqual({
      changed: 0,
    });
  });

  it('reordering goods kinds is refused if the request contains an unknown kind', async () => {
    expect((await system.call(admin, 'POST', `${base}/order`, { ids: [987_654_321] })).status).toBe(
      404,
    );
  });
});
