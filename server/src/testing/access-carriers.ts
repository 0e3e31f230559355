import { sql } from '#platform/db/db.ts';
import type { Row } from './access-row.ts';
import { rowsOf } from './test-system.ts';
import type { TestSystem } from './test-system.ts';

let count = 0;

/** A parcel with two waybills between which the office has to choose; the first is the one it has. */
const undecided = async (system: TestSystem, station_id: number): Promise<number> => {
  const [parcel] = await rowsOf(
    system,
    sql<{
      id: number;
    }>`insert into expresses (station_id, user_id, order_id, state_code, state_txt) values (${station_id}, ${system.network.office}, ${`WSX${++count}`}, 100, '待揽收') returning id`,
  );
  const { id } = parcel!;
  const waybill_claims = JSON.stringify(['CHOICE', 'OTHER'].map((name) => ({ delivery_id: `${name}-${id}`, source: 'answer' })));
  await rowsOf(system, sql`update expresses set delivery_id = ${`CHOICE-${id}`}, waybill_claims = ${waybill_claims}::jsonb where id = ${id}`);
  return id;
};

/** What the office decides about carriers. */
export const carrierTruth: Readonly<Record<string, Row>> = {
  'GET /api/arco/outages': { about: 'nothing' },
  'POST /api/arco/expresses/{id}/waybill': {
    about: 'row',
    make: undecided,
    owned: true,
    path: (id) => `/api/arco/expresses/${id}/waybill`,
    body: (id) => ({ version: 1, delivery_id: `CHOICE-${id}` }),
  },
};
