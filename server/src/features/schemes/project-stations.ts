import type { OutputOf, ParsedOf } from '@waystation/contract/base/endpoint.ts';
import { mostSucceeded } from '@waystation/contract/base/limits.ts';
import type { SplitLine } from '@waystation/contract/network/project.ts';
import type * as calls from '@waystation/contract/network/project.ts';
import type { App } from '#app.ts';
import { quoteOffers, sampleFacts, stationFor } from '#domain/offers/offers.ts';
import type { StationTerms } from '#domain/offers/offers.ts';
import { sharesOf } from '#domain/pricing/pricing.ts';
import type { Shares } from '#domain/pricing/pricing.ts';
import { recordAudit } from '#platform/audit.ts';
import type { Actor } from '#platform/auth/actor.ts';
import { callerOf, oneRow, sql } from '#platform/db/db.ts';
import type { RowOf, UserWork, Work } from '#platform/db/db.ts';
import { getRow, lockRow } from '#platform/db/rows.ts';
import { fail, failFields } from '#platform/fail.ts';
import type { RequestContext } from '#platform/http/context.ts';

const shownAtMost = 500;

/** Returns stations and the scheme of each, sorted by name. */
export const stations = (
  app: App,
  actor: Actor,
  { q, project_id }: ParsedOf<typeof calls.schemeStations>,
): Promise<OutputOf<typeof calls.schemeStations>> =>
  app.db.tx(callerOf(actor), async (work) => {
    const wanted = sql<boolean>`strpos(lower(s.name), lower(${q ?? ''})) > 0
      and (${project_id ?? null}::bigint is null or s.project_id = ${project_id ?? null})`;
    const { rows } = await sql<OutputOf<typeof calls.schemeStations>['items'][number]>`
      select s.id, s.name, s.status, s.project_id, p.name as project_name from stations s left
        join projects p on p.id = s.project_id
      where ${wanted} order by s.name, s.id limit ${shownAtMost}`.execute(work.tx);
    const row = await oneRow(
      work,
      sql<{ n: number }>`select count(*) as n from stations s
      where ${wanted}`,
    );
    return { items: rows, total: row.n };
  });

type Assigned = RowOf<'stations', 'id' | 'name' | 'project_id'>;

/**
 * Assigns the scheme to locked stations. Each gets its own version and its own entry in the audit
 * log.
 */
const giveScheme = async (
  work: UserWork,
  id: number,
  moved: readonly Assigned[],
): Promise<void> => {
  await sql`update stations set project_id = ${id}, version = version + 1,
    updated_at = clock_timestamp()
    where id = any(${moved.map((station) => station.id)}::bigint[])`.execute(work.tx);
  for (const station of moved)
    await recordAudit(work, {
      action: 'assign_project',
      subject: 'stations',
      subject_id: station.id,
      station_id: station.id,
      changes: { project_id: [station.project_id, id] },
    });
  await recordAudit(work, {
    action: 'assign',
    subject: 'projects',
    subject_id: id,
    changes: { stations: [null, moved.map(({ name }) => name)] },
  });
};

/**
 * Assigns the replacement scheme to all stations of a scheme. Both schemes stay locked, in the
 * order of their ids.
 */
export const replaceBySuccessor = async (
  work: UserWork,
  { id, successor_id }: { id: number; successor_id: number },
): Promise<void> => {
  const { rows: locked } = await sql<RowOf<'projects', 'id' | 'status'>>`select id, status
    from projects
    where id = any(${[id, successor_id]}::bigint[])
      order by id for no key update`.execute(work.tx);
  if (!locked.some((row) => row.id === id)) fail('not_found');
  if (!locked.some((row) => row.id === successor_id && row.id !== id && row.status === 1))
    failFields({ successor_id: { code: 'successor_invalid' } });
  const { rows } = await sql<Assigned>`select id, name, project_id from stations
    where project_id = ${id} order by id for no key update`.execute(work.tx);
  if (rows.length > mostSucceeded)
    fail('successor_too_many', { count: rows.length, limit: mostSucceeded });
  if (rows.length > 0) await giveScheme(work, successor_id, rows);
};

/** Assigns a scheme to stations. Stations that already have the scheme are not changed. */
export const assign = (
  app: App,
  actor: Actor,
  { id, station_ids }: ParsedOf<typeof calls.assignProject>,
  request: RequestContext,
): Promise<{ changed: number }> =>
  app.db.tx(callerOf(actor, request), async (work) => {
    const project = await lockRow(work, 'projects', id);
    if (project.status !== 1) fail('project_disabled', { name: project.name });
    const ids = [...new Set(station_ids)];
    const { rows } = await sql<Assigned>`select id, name, project_id from stations
      where id = any(${ids}::bigint[]) order by id for no key update`.execute(work.tx);
    if (rows.length < ids.length) failFields({ station_ids: { code: 'not_found' } });
    const moved = rows.filter(({ project_id }) => project_id !== id);
    await giveScheme(work, id, moved);
    return { changed: moved.length };
  });

interface Sample {
  receive_province: string;
  receive_city: string;
  weight: number;
  guarantee_value_amount?: number | undefined;
}

/** The facts of the sample parcel, sent from the station's own place. */
const factsOf = async (
  work: Work,
  station: StationTerms,
  { guarantee_value_amount = 0, ...sample }: Sample,
) => {
  const place = await work.tx
    .selectFrom('stations')
    .select(['province', 'city', 'county'])
    .where('id', '=', station.id)
    .executeTakeFirstOrThrow();
  return sampleFacts(place, { ...sample, guarantee_value_amount });
};

type Preview = OutputOf<typeof calls.previewProject>['items'][number];

/** The present and future prices of every delivery time that the old or the new scheme offers. */
export const preview = (
  app: App,
  actor: Actor,
  { id, station_ids, ...sample }: ParsedOf<typeof calls.previewProject>,
): Promise<OutputOf<typeof calls.previewProject>> => {
  const caller = callerOf(actor);
  return app.db.tx(caller, async (work) => {
    await getRow(work, sql`projects`, id);
    const at = app.clock.now();
    const items: Preview[] = [];
    for (const station_id of new Set(station_ids)) {
      const station = await stationFor(work, actor, station_id);
      const facts = await factsOf(work, station, sample);
      const before = await quoteOffers(work, station, { facts, at });
      const after = await quoteOffers(work, { ...station, project_id: id }, { facts, at });
      const amountOf = (offers: typeof before, promise_id: string) =>
        offers.find(({ offer }) => offer.promise_id === promise_id)?.price?.post_amount ?? null;
      const names = new Map(
        [...before, ...after].map(({ offer }) => [offer.promise_id, offer.promise_name]),
      );
      const row = await work.tx
        .selectFrom('projects')
        .select('name')
        .where('id', '=', station.project_id)
        .executeTakeFirst();
      items.push({
        station_id,
        station_name: station.name,
        project_name: row?.name ?? null,
        prices: [...names].map(([promise_id, promise_name]) => ({
          promise_id,
          promise_name,
          before_amount: amountOf(before, promise_id),
          after_amount: amountOf(after, promise_id),
        })),
      });
    }
    return { items };
  });
};

/** The share of each party, from the station upward. Their sum is exactly the station's price. */
const linesOf = (
  { shares, platform_amount }: Shares,
  guarantee_amount: number,
  names: ReadonlyMap<number, string>,
): SplitLine[] => [
  ...shares.map(({ parent_id, wanted_amount, amount }) => ({
    kind: 'share' as const,
    station_id: parent_id,
    station_name: names.get(parent_id) ?? null,
    wanted_amount,
    amount,
  })),
  ...(guarantee_amount > 0
    ? [
        {
          kind: 'guarantee' as const,
          station_id: null,
          station_name: null,
          wanted_amount: null,
          amount: guarantee_amount,
        },
      ]
    : []),
  {
    kind: 'platform',
    station_id: null,
    station_name: null,
    wanted_amount: null,
    amount: platform_amount - guarantee_amount,
  },
];

export const split = (
  app: App,
  actor: Actor,
  { id, station_id, percent_type, ...sample }: ParsedOf<typeof calls.splitProject>,
): Promise<OutputOf<typeof calls.splitProject>> => {
  const caller = callerOf(actor);
  return app.db.tx(caller, async (work) => {
    await getRow(work, sql`projects`, id);
    const station = await stationFor(work, actor, station_id);
    const offers = await quoteOffers(
      work,
      { ...station, project_id: id, allow_select: 1 },
      { facts: await factsOf(work, station, sample), at: app.clock.now() },
    );
    const above = offers.flatMap(({ offer }) =>
      offer.terms.links.map(({ parent_id }) => parent_id),
    );
    const { rows } = await sql<RowOf<'stations', 'id' | 'name'>>`select id, name from stations
      where id = any(${above}::bigint[])`.execute(work.tx);
    const names = new Map(rows.map((row) => [row.id, row.name]));
    return {
      items: offers.map(({ offer, price, reason }) => {
        const { promise_id, promise_name, voucher_name, terms } = offer;
        if (!price)
          return { promise_id, promise_name, voucher_name, post_amount: null, reason, lines: [] };
        const links = terms.links.map((link) => ({
          ...link,
          percent_type: percent_type ?? link.percent_type,
        }));
        const lines = linesOf(sharesOf(price, { ...terms, links }), price.guarantee_amount, names);
        return {
          promise_id,
          promise_name,
          voucher_name,
          post_amount: price.post_amount,
          reason: null,
          lines,
        };
      }),
    };
  });
};
