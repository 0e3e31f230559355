import type { Express } from '@waystation/contract/parcels/express.ts';
import { sql } from '#platform/db/db.ts';
import { carrierRequests } from './parcel-client.ts';
import type { ParcelClient } from './parcel-client.ts';
import { rowsOf } from './test-system.ts';
import type { TestSystem } from './test-system.ts';

/** Returns functions that cancel parcels of a clerk and read the effects. */
export const cancelClient = (system: TestSystem, clerk: ParcelClient) => {
  const cancel = (id: number, reason = '客户取消') => clerk.act(id, 'cancel', { reason });
  const cancelCalls = async (waybill: string | null): Promise<number> =>
    (await carrierRequests(system, '/cancel')).filter(({ body }) => body.includes(`"${waybill}"`))
      .length;
  const jump = (parcel: Express, to: string) =>
    system.carrier.control('POST', `orders/${parcel.delivery_id}/jump`, { to });
  const ordered = async (changes: Record<string, unknown> = {}): Promise<Express> =>
    (await clerk.order(changes)).data;
  /**
   * Creates a parcel that the carrier has moved to the state `to`, and stores this state for the
   * parcel.
   */
  const at = async (
    to: string,
    state: number,
    changes: Record<string, unknown> = {},
  ): Promise<Express> => {
    const parcel = await ordered(changes);
    await jump(parcel, to);
    return clerk.until(parcel.id, state);
  };

  /** Returns the carrier's responses to cancel requests. They are read from the parcel's trace. */
  const answersOf = async (id: number) => {
    const { data } = await system.call<{
      items: { source: string; state: string; remark: string }[];
    }>(clerk.token, 'GET', `/api/arco/expresses/${id}/trace`);
    return data.items
      .filter(({ source }) => source === 'cancel')
      .map(({ state, remark }) => ({ state, remark }));
  };
  /**
   * Returns the number of notices which report to the requester that a cancellation or an
   * interception had no effect. It includes notices that were not delivered.
   */
  const cancelNotices = async (id: number): Promise<number> =>
    (
      await rowsOf(
        system,
        sql`select 1 from inbox_notices where kind = 'cancel_failed' and subject_id = ${id}
          union all select 1 from inbox_entries where kind = 'cancel_failed'
          and subject_id = ${id}`,
      )
    ).length;
  return { cancel, cancelCalls, jump, ordered, at, answersOf, cancelNotices };
};

export type CancelClient = ReturnType<typeof cancelClient>;
