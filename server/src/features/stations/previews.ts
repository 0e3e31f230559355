import type { OutputOf, ParsedOf } from '@waystation/contract/base/endpoint.ts';
import type { Reason } from '@waystation/contract/base/envelope.ts';
import type { MoveLink } from '@waystation/contract/network/station.ts';
import type * as calls from '@waystation/contract/network/station.ts';
import type { ChainLink, Discounts, PercentType } from '@waystation/contract/money/terms.ts';
import { present } from '@waystation/contract/base/present.ts';
import type { App } from '#app.ts';
import {
  quoteOffers,
  sampleFacts,
  sampleParcel,
  shownQuote,
  stationFor,
} from '#domain/offers/offers.ts';
import type { PricedOffer, SampleParcel, StationTerms } from '#domain/offers/offers.ts';
import { lockNetwork, moveBelow, refuseOwn, subtreeOf } from '#domain/network/network.ts';
import type { StationRow } from '#domain/network/network.ts';
import { sharesOf } from '#domain/pricing/pricing.ts';
import type { Actor } from '#platform/auth/actor.ts';
import { callerOf, oneRow, sql } from '#platform/db/db.ts';
import type { ReaderWork, Work } from '#platform/db/db.ts';
import { lockRow } from '#platform/db/rows.ts';
import { scopeCondition } from '#platform/db/scope.ts';
import { Failure, failFields } from '#platform/fail.ts';
import { isOffice } from './rows.ts';

type MovePreview = OutputOf<typeof calls.previewMove>;
const definedOnly = <T extends object>(values: T): { [K in keyof T]: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]: Exclude<T[K], undefined>;
  };

/**
 * Previews the station's price for a parcel, with its stored terms or with the unsaved terms of the
 * request.
 */
export const previewPrice = (
  app: App,
  actor: Actor,
  {
    id,
    receive_province,
    receive_city,
    weight,
    guarantee_value_amount,
    ...trial
  }: ParsedOf<typeof calls.previewStationPrice>,
): Promise<OutputOf<typeof calls.previewStationPrice>> => {
  const caller = callerOf(actor);
  return app.db.tx(caller, async (work) => {
    const station = await stationFor(work, actor, id);
    const { project_id, ...discounts } = trial;
    if (project_id !== undefined && !isOffice(actor))
      failFields({ project_id: { code: 'field_not_yours' } });
    const row = await work.tx
      .selectFrom('stations')
      .select(['province', 'city', 'county'])
      .where('id', '=', id)
      .where(scopeCondition(work, 'id'))
      .executeTakeFirstOrThrow();
    const to: SampleParcel = {
      ...sampleParcel,
      ...(receive_province !== undefined && { receive_province, receive_city: receive_city ?? '' }),
      ...definedOnly({ weight, guarantee_value_amount }),
    };
    const priced = { ...station, ...definedOnly({ project_id }) } as StationTerms;
    const quotes = await quoteOffers(work, priced, {
      facts: sampleFacts(row, to),
      at: app.clock.now(),
      trial: definedOnly(discounts) as Partial<Discounts>,
    });
    return {
      sender_province: row.province,
      receive_province: to.receive_province,
      receive_city: to.receive_city,
      weight: to.weight,
      quotes: quotes.map(shownQuote),
    };
  });
};

type Step = Pick<
  StationRow,
  | 'id'
  | 'name'
  | 'parent_id'
  | 'enable_profit'
  | 'profit'
  | 'fixed_profit'
  | 'discount'
  | 'northeast_discount'
>;

/** The chain of stations from this station upward, as far as the reader may see it. */
const chainOf = async (work: Work, id: number): Promise<Step[]> => {
  const { rows } = await sql<Step>`
    with recursive chain as (
      select s.*, 0 as depth from stations s where s.id = ${id}
        and ${scopeCondition(work, 's.id')}
      union all select p.*, c.depth + 1 from stations p join chain c on p.id = c.parent_id
        where c.depth < 100 and ${scopeCondition(work, 'p.id')})
    select id, name, parent_id, enable_profit, profit, fixed_profit, discount,
      northeast_discount from chain order by depth`.execute(work.tx);
  return rows;
};

const linksOf = (chain: Step[], percent_type: PercentType): ChainLink[] =>
  chain.slice(0, -1).map((child, index) => {
    const parent = present(chain[index + 1]);
    const { enable_profit, profit, fixed_profit } = child;
    return {
      child_id: child.id,
      parent_id: parent.id,
      percent_type,
      enable_profit,
      profit,
      fixed_profit,
      child,
      parent,
    };
  });

/** The profit chain with the earnings of each station from the example parcel. */
const sideOf = (
  actor: Actor,
  chain: Step[],
  offer: PricedOffer | null,
  percent_type: PercentType | null,
): MovePreview['before'] => {
  const links = linksOf(chain, percent_type ?? 1);
  const shares =
    offer?.price && sharesOf(offer.price, { voucher: offer.offer.terms.voucher, links });
  const amountOf = (child_id: number): number | null =>
    shares ? (shares.shares.find((share) => share.child_id === child_id)?.amount ?? 0) : null;
  return {
    links: links.map(
      ({ child_id, parent_id, enable_profit, profit, fixed_profit }, index): MoveLink => ({
        child_id,
        child_name: present(chain[index]).name,
        parent_id,
        parent_name: present(chain[index + 1]).name,
        enable_profit,
        profit: profit ?? 0,
        fixed_profit,
        amount: amountOf(child_id),
      }),
    ),
    ...(isOffice(actor) && { platform_amount: shares ? shares.platform_amount : null }),
  };
};

/**
 * Makes the move, reads the result and rolls back, so that the preview shows exactly what the move
 * would do.
 */
const tried = async (
  work: ReaderWork,
  before: StationRow,
  parent_id: number | null,
  at: Date,
): Promise<{ chain: Step[]; problems: Reason[] }> => {
  await sql`savepoint before_move`.execute(work.tx);
  let problems: Reason[] = [];
  try {
    await moveBelow(work, before, parent_id, at);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    problems = Object.values(
      error.details.fields ?? { parent_id: { code: error.code, params: error.params } },
    );
  }
  const chain = await chainOf(work, before.id);
  await sql`rollback to savepoint before_move`.execute(work.tx);
  // If the move was refused before it was made, there is no result to read.
  return { chain: chain[0]?.parent_id === parent_id ? chain : [], problems };
};

/**
 * Previews how a move would change the profit chain, with the reason if the move is not allowed.
 */
export const previewMove = (
  app: App,
  actor: Actor,
  { id, parent_id }: ParsedOf<typeof calls.previewMove>,
): Promise<MovePreview> => {
  const caller = callerOf(actor);
  const at = app.clock.now();
  return app.db.tx(caller, async (work) => {
    await lockNetwork(work);
    const before = await lockRow(work, 'stations', id, [scopeCondition(work, 'r.id')]);
    refuseOwn(actor, id);
    const ids = await subtreeOf(work, id);
    const { n: accounts } = await oneRow(
      work,
      sql<{ n: number }>`select count(*) as n from accounts
      where station_id = any(${ids}::bigint[]) and status = 1
        and ${scopeCondition(work, 'station_id')}`,
    );
    const scheme = await work.tx
      .selectFrom('projects')
      .select('percent_type')
      .where('id', '=', before.project_id)
      .executeTakeFirst();
    const percent_type = scheme?.percent_type ?? null;
    const offers = await quoteOffers(work, before, {
      facts: sampleFacts(before, sampleParcel),
      at,
    });
    const offer = offers.find(({ cheapest }) => cheapest === 1) ?? null;
    const standing = await chainOf(work, id);
    const { chain, problems } = await tried(work, before, parent_id, at);
    return {
      stations: ids.length,
      accounts,
      post_amount: offer?.price?.post_amount ?? null,
      percent_type,
      before: sideOf(actor, standing, offer, percent_type),
      after: sideOf(actor, chain, offer, percent_type),
      problems,
    };
  });
};
