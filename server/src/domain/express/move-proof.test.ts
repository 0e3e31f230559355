import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { prove } from '#domain/ledger/ledger.ts';
import { sql } from '#platform/db/db.ts';
import { parcelClient } from '#testing/parcel-client.ts';
import { openTestSystem, rowsOf } from '#testing/test-system.ts';
import type { TestSystem } from '#testing/test-system.ts';
import { legalMoves } from './state.ts';

let system: TestSystem;

beforeAll(async () => {
  system = await openTestSystem();
  await system.topUp('nanshan', 100_000);
});
afterAll(() => system.close());

const breaks = async (full: boolean): Promise<string[]> => {
  const { breaks: found } = await prove(system.app, { full, at: new Date() });
  return found
    .filter(({ invariant }) => invariant === 'I10')
    .map(({ subject, detail }) => `${subject} ${detail}`);
};

describe('the check of the parcels’ state changes', () => {
  it('the database function for legal state changes of a parcel returns the same changes as the server’s code', async () => {
    const rows = await rowsOf(
      system,
      sql<{ from_code: number; to_code: number }>`select *
      from legal_moves()`,
    );
    const spelled = (moves: readonly (readonly number[])[]): string[] =>
      moves.map((move) => move.join('→')).toSorted();
    expect(spelled(rows.map(({ from_code, to_code }) => [from_code, to_code]))).toEqual(
      spelled(legalMoves()),
    );
  });

  it('the check of state changes finds an illegal change, a change from a state that the parcel was not in, and a parcel whose state differs from its last change', async () => {
    const clerk = await parcelClient(system);
    const { data } = await clerk.order({});
    const parcel = await clerk.get(data.id);
    expect(await breaks(true)).toEqual([]);
    await rowsOf(
      system,
      sql`insert into express_moves (express_id, station_id, from_code, to_code, cause,
        account_id, at)
        values (${parcel.id}, ${parcel.station_id}, 300, 20, 'order', null, now())`,
    );
    const found = [
      `parcel ${parcel.id} went from 300 to 20 by order`,
      `parcel ${parcel.id} moves from 300 but was in ${parcel.state_code}`,
      `parcel ${parcel.id} is in ${parcel.state_code}, its last move says 20`,
    ];
    expect((await breaks(true)).toSorted()).toEqual(found.toSorted());
    expect((await breaks(false)).toSorted()).toEqual(found.toSorted());
  });
});
