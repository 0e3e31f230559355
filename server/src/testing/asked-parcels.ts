import { randomUUID } from 'node:crypto';
import type { Express } from '@waystation/contract/parcels/express.ts';
import type { Handover } from '@waystation/contract/parcels/handover.ts';
import { askTraceTask } from '#domain/express/queues.ts';
import { sql } from '#platform/db/db.ts';
import { systemScope } from '#platform/db/scope.ts';
import { addJob } from '#platform/jobs/jobs.ts';
import { handoverBase } from './handover-client.ts';
import type { ParcelClient } from './parcel-client.ts';
import { eventually, rowsOf } from './test-system.ts';
import type { TestSystem } from './test-system.ts';

const ago = (hours: number) => sql`now() - ${hours} * interval '1 hour'`;

/**
 * Returns functions that create parcels of a clerk with dates in the past, and ask the carrier
 * about them.
 */
export const askedParcels = (system: TestSystem, clerk: ParcelClient) => {
  /**
   * Requests the trace of a parcel from the carrier, and waits until the job has ended and its
   * result is stored.
   */
  const asked = async ({ id }: Express): Promise<void> => {
    const [before] = await rowsOf(system, sql<{ now: Date }>`select clock_timestamp() as now`);
    await system.app.db.tx(systemScope('test'), (work) =>
      addJob(work, askTraceTask, { express_id: id }),
    );
    await eventually(
      async () =>
        (
          await rowsOf(
            system,
            sql`select 1 from expresses where id = ${id} and polled_at > ${before!.now}
              and not exists (select 1 from graphile_worker._private_jobs
                where key = ${`ask_trace:${id}`})`,
          )
        ).length > 0,
    );
  };
  const askedWith = async (columns: ReturnType<typeof sql>): Promise<Express> => {
    const { data } = await clerk.order();
    await asked(data);
    await rowsOf(system, sql`update expresses set ${columns} where id = ${data.id}`);
    await asked(data);
    return data;
  };
  const give = async ({ delivery_id }: Express, packages: readonly number[]): Promise<void> => {
    const visit = async (path: string, body: object): Promise<Handover> =>
      (await system.call<Handover>(clerk.token, 'POST', `${handoverBase}${path}`, body)).data;
    const { id } = await visit('', { provider: 'jdl' });
    const scans = packages.map((no) => ({
      scan_id: randomUUID(),
      number: `${delivery_id}-${no}-2-`,
    }));
    await visit(`/${id}/scans`, { scans });
    await visit(`/${id}/close`, { packages: packages.length });
  };
  return {
    asked,
    /** Creates a parcel about which the carrier last reported the given number of hours ago. */
    quietFor: (hours: number) => askedWith(sql`last_event_at = ${ago(hours)}`),
    /** Creates a parcel whose pickup window ended the given number of hours ago. */
    endedFor: (hours: number) =>
      askedWith(sql`pickup_from = ${ago(9)}, pickup_until = ${ago(hours)}`),
    /**
     * Creates a parcel of two packages. Only the packages with the numbers in `packages` were in a
     * hand-over. The carrier picked the parcel up two hours ago.
     */
    givenOfTwo: async (...packages: number[]): Promise<Express> => {
      const { data } = await clerk.order({ package_count: 2 });
      await give(data, packages);
      await system.carrier.control('POST', `orders/${data.delivery_id}/jump`, { to: 'picked_up' });
      await clerk.until(data.id, 200);
      await rowsOf(
        system,
        sql`update expresses set picked_up_at = ${ago(2)} where id = ${data.id}`,
      );
      await asked(data);
      return data;
    },
  };
};
