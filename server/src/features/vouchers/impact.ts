import * as z from 'zod/mini';
import type { Impact } from '@waystation/contract/money/voucher.ts';
import type * as calls from '@waystation/contract/money/voucher.ts';
import type { OutputOf, ParsedOf } from '@waystation/contract/base/endpoint.ts';
import { provinceOf } from '@waystation/contract/parcels/provinces.ts';
import type { Terms } from '@waystation/contract/money/terms.ts';
import { present } from '@waystation/contract/base/present.ts';
import type { App } from '#app.ts';
import { priceColumns, pricedParcel } from '#domain/offers/offers.ts';
import type { PriceFacts } from '#domain/offers/offers.ts';
import { recordAudit } from '#platform/audit.ts';
import type { Actor } from '#platform/auth/actor.ts';
import { daysBefore } from '#platform/clock.ts';
import { callerOf, jsonText, oneRow, sql } from '#platform/db/db.ts';
import type { RowOf, Work } from '#platform/db/db.ts';
import { getRow } from '#platform/db/rows.ts';
import { systemScope } from '#platform/db/scope.ts';
import { fail } from '#platform/fail.ts';
import type { RequestContext } from '#platform/http/context.ts';
import { addJob } from '#platform/jobs/jobs.ts';
import { task } from '#platform/jobs/task.ts';
import { openDraft, priceByDraft } from './quote.ts';
import { lockVoucher, readVoucher } from './vouchers.ts';

const days = 30;
const batch = 500;

/** The sums that an impact estimate has calculated and stored so far. */
type State = Extract<RowOf<'voucher_impacts'>['state'], { parcels: number }>;
type Sums = State['stations'][string];

const none = (): Sums => ({ parcels: 0, old_amount: 0, new_amount: 0, unpriced: 0 });
const empty = (): State => ({
  ...none(),
  cost: { parcels: 0, cost_amount: 0, old_amount: 0, new_amount: 0 },
  stations: {},
  provinces: {},
});

/**
 * The condition for parcels that were ordered and not cancelled, and so are, or will be, charged.
 */
const counted = (
  voucher_id: number,
  station_id: number | null,
  since: Date,
  until: Date,
) => sql<boolean>`e.voucher_id = ${voucher_id}
  and e.created_at >= ${since} and e.created_at < ${until} and e.delivery_id is not null
    and e.state_code <> 500 and e.terms is not null
  and (${station_id}::bigint is null or e.station_id = ${station_id}::bigint)`;

const latest = async (work: Work, voucher_id: number): Promise<Impact | null> => {
  const { rows } = await sql<
    RowOf<'voucher_impacts'> & {
      is_current: 0 | 1;
      station_name: string | null;
      asked_by: string;
      created_at: Date;
      finished_at: Date | null;
    }
  >`
    select i.*, s.name as station_name, a.username as asked_by,
      ((i.discount, i.northeast_discount, i.weight) is not distinct
        from (v.discount, v.northeast_discount, v.weight))::int as is_current
    from voucher_impacts i join vouchers v on v.id = i.voucher_id left
      join stations s on s.id = i.station_id join accounts a on a.id = i.account_id
    where i.voucher_id = ${voucher_id} order by i.id desc limit 1`.execute(work.tx);
  const row = rows[0];
  if (!row) return null;
  const state = row.state.parcels === undefined ? empty() : row.state;
  const ids = Object.keys(state.stations).map(Number);
  const { rows: stations } = await sql<RowOf<'stations', 'id' | 'name'>>`select id, name
    from stations where id = any(${ids}::bigint[])`.execute(work.tx);
  const names = new Map(stations.map(({ id, name }) => [id, name]));
  const { parcels, old_amount, new_amount, unpriced, cost } = state;
  const biggest = (one: Sums, other: Sums): number => other.old_amount - one.old_amount;
  return {
    id: row.id,
    station_id: row.station_id,
    station_name: row.station_name,
    status: row.status,
    is_current: row.is_current,
    since: row.since.toISOString(),
    until: row.until.toISOString(),
    total: row.total,
    done: row.done,
    parcels,
    old_amount,
    new_amount,
    unpriced,
    cost,
    stations: ids
      .map((station_id) => ({
        station_id,
        name: names.get(station_id) ?? '',
        ...state.stations[station_id]!,
      }))
      .toSorted(biggest),
    provinces: Object.entries(state.provinces)
      .map(([province, sums]) => ({ province, ...sums }))
      .toSorted(biggest),
    asked_by: row.asked_by,
    created_at: row.created_at.toISOString(),
    finished_at: row.finished_at?.toISOString() ?? null,
  };
};

export const get = (
  app: App,
  actor: Actor,
  { id }: ParsedOf<typeof calls.getImpact>,
): Promise<OutputOf<typeof calls.getImpact>> =>
  app.db.tx(callerOf(actor), async (work) => {
    await readVoucher(app, work, id);
    return { impact: await latest(work, id) };
  });

export const estimateImpactTask = task('estimate_impact', z.object({ impact_id: z.int() }), {
  attempts: 3,
  priority: 10,
});

const queue = (work: Work, id: number, done: number): Promise<void> =>
  addJob(work, estimateImpactTask, { impact_id: id }, { key: `estimate_impact:${id}:${done}` });

/**
 * Queues an impact estimate of the present draft, for the parcels of the last 30 days up to now.
 */
export const start = (
  app: App,
  actor: Actor,
  { id, station_id }: ParsedOf<typeof calls.startImpact>,
  request: RequestContext,
): Promise<Impact> =>
  app.db.tx(callerOf(actor, request), async (work) => {
    const { discount, northeast_discount, weight } = await lockVoucher(app, work, id);
    if (weight.origins.length === 0) fail('voucher_empty');
    if (station_id !== undefined) await getRow(work, sql`stations`, station_id);
    if ((await latest(work, id))?.status === 'running') fail('impact_running');
    const until = app.clock.now();
    const since = daysBefore(until, days);
    const { n: total } = await oneRow(
      work,
      sql<{ n: number }>`select count(*) as n
      from expresses e where ${counted(id, station_id ?? null, since, until)}`,
    );
    const row = await oneRow(
      work,
      sql<
        RowOf<'voucher_impacts', 'id'>
      >`insert into voucher_impacts (voucher_id, station_id, account_id, discount,
        northeast_discount, weight, since, until, total)
      values (${id}, ${station_id ?? null}, ${actor.account_id}, ${discount},
        ${northeast_discount}, ${jsonText(weight)}::jsonb, ${since}, ${until}, ${total})
      returning id`,
    );
    await queue(work, row.id, 0);
    await recordAudit(work, {
      action: 'impact',
      subject: 'vouchers',
      subject_id: id,
      changes: {
        parcels: [null, total],
        ...(station_id !== undefined && { station_id: [null, station_id] as const }),
      },
    });
    return present(await latest(work, id));
  });

type Parcel = PriceFacts & {
  id: number;
  created_at: Date;
  station_id: number;
  post_amount: number;
  jd_amount: number | null;
  terms: Terms;
};
const columns = [
  ...priceColumns,
  'id',
  'created_at',
  'station_id',
  'post_amount',
  'jd_amount',
  'terms',
].map((column) => sql.ref(`e.${column}`));

const add = (sums: Sums | undefined, post_amount: number, draft: number | null): Sums => {
  const { parcels, old_amount, new_amount, unpriced } = sums ?? none();
  return draft === null
    ? { parcels, old_amount, new_amount, unpriced: unpriced + 1 }
    : {
        parcels: parcels + 1,
        old_amount: old_amount + post_amount,
        new_amount: new_amount + draft,
        unpriced,
      };
};

const accumulate = (state: State, parcel: Parcel, draft: number | null): State => {
  const province = provinceOf(pricedParcel(parcel).receive_code);
  const { post_amount, jd_amount, station_id } = parcel;
  const known = draft !== null && jd_amount !== null;
  const { cost } = state;
  return {
    ...add(state, post_amount, draft),
    cost: known
      ? {
          parcels: cost.parcels + 1,
          cost_amount: cost.cost_amount + jd_amount,
          old_amount: cost.old_amount + post_amount,
          new_amount: cost.new_amount + draft,
        }
      : cost,
    stations: {
      ...state.stations,
      [station_id]: add(state.stations[station_id], post_amount, draft),
    },
    provinces: {
      ...state.provinces,
      [province]: add(state.provinces[province], post_amount, draft),
    },
  };
};

/**
 * Task: prices the next batch of an impact estimate, in one transaction with its results. A
 * repeated run begins after the last committed batch.
 */
export const estimateImpact = (app: App, { impact_id }: { impact_id: number }): Promise<void> =>
  app.db.tx(systemScope('what a draft would have cost'), async (work) => {
    const impact = await work.tx
      .selectFrom('voucher_impacts')
      .selectAll()
      .where('id', '=', impact_id)
      .forUpdate()
      .executeTakeFirst();
    if (!impact || impact.status === 'done') return;
    const voucher = await readVoucher(app, work, impact.voucher_id);
    const draft = openDraft(voucher, impact);
    // The database compares the times, because a time that was read into this process has lost its
    // microseconds.
    const after =
      impact.after_at === null
        ? sql<boolean>`true`
        : sql<boolean>`(e.created_at, e.id) > (select i.after_at, i.after_id
          from voucher_impacts i where i.id = ${impact_id})`;
    const { rows } = await sql<Parcel>`select ${sql.join(columns)} from expresses e
        where ${counted(impact.voucher_id, impact.station_id, impact.since, impact.until)}
        and ${after}
      order by e.created_at, e.id limit ${batch}`.execute(work.tx);
    let state = impact.state.parcels === undefined ? empty() : impact.state;
    for (const parcel of rows)
      state = accumulate(
        state,
        parcel,
        priceByDraft(draft, parcel, parcel.terms).price?.post_amount ?? null,
      );
    const last = rows.at(-1);
    const done = impact.done + rows.length;
    const over = rows.length < batch;
    await sql`update voucher_impacts set state = ${jsonText(state)}::jsonb, done = ${done},
      total = greatest(total, ${done}),
      after_at = (select created_at from expresses where id = ${last?.id ?? null}::bigint),
        after_id = ${last?.id ?? null},
      status = ${over ? 'done' : 'running'}, finished_at = ${over ? app.clock.now() : null}
        where id = ${impact_id}`.execute(work.tx);
    if (!over) await queue(work, impact_id, done);
  });

/** An estimate whose job was abandoned is deleted, so that another can be requested. */
export const failImpact = async (
  work: Work,
  { impact_id }: { impact_id: number },
): Promise<void> => {
  await work.tx
    .deleteFrom('voucher_impacts')
    .where('id', '=', impact_id)
    .where('status', '=', 'running')
    .execute();
};
