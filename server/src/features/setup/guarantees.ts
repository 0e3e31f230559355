import type { OutputOf, ParsedOf } from '@waystation/contract/base/endpoint.ts';
import type { Guarantee } from '@waystation/contract/money/guarantee.ts';
import { calls as bulkCalls } from '@waystation/contract/shell/bulk.schema.ts';
import { calls } from '@waystation/contract/money/guarantee.schema.ts';
import type { Usage } from '@waystation/contract/base/usage.ts';
import type { App } from '#app.ts';
import type { FeaturePart } from '#feature.ts';
import { usesLately } from '#domain/express/express-reads.ts';
import { tiersAt } from '#domain/offers/offers.ts';
import { insure } from '#domain/pricing/pricing.ts';
import { columnsOf, madeOf, namesOfTiers, onOff, switches } from '#domain/user-jobs/user-jobs.ts';
import { auditedChange, auditedInsert, auditedStatus } from '#platform/audited-change.ts';
import type { AuditedTable } from '#platform/audited-change.ts';
import type { Actor } from '#platform/auth/actor.ts';
import { businessDay, dayStart } from '#platform/clock.ts';
import { inOwnTx } from '#platform/auth/own-tx.ts';
import { atLeast, atMost, equal, filterConditions } from '#platform/db/conditions.ts';
import type { Listed } from '#platform/db/paging.ts';
import { callerOf, sql } from '#platform/db/db.ts';
import type { UserWork, Work } from '#platform/db/db.ts';
import { columnsOf as namedColumns, getRow, listRows, namedRows } from '#platform/db/rows.ts';
import { failFields } from '#platform/fail.ts';
import type { RequestContext } from '#platform/http/context.ts';
import { listSource } from '#platform/http/list-walk.ts';
import { route } from '#platform/http/route.ts';
import { lockTiers } from './tier-plans.ts';
import * as plans from './tier-plans.ts';

const audited: AuditedTable<'guarantees'> = {
  table: 'guarantees',
  audited: ['money', 'price', 'status'],
  unique: { guarantees_money: 'money' },
};
type Row = Omit<Guarantee, 'from_money' | 'parcels_30d'>;

/** The columns of a tier, with the number of parcels that it insured in the last thirty days. */
const own = 'id money price status version created_at updated_at';
const tiersWithLowerBound = namedRows(
  `${own} parcels_30d from_money`,
  sql`(select ${namedColumns('g', own)},
    ${usesLately('guarantee', 'g.money', sql`now()`)} as parcels_30d,
    case when g.status = 1 then lag(g.money, 1, 0::bigint) over (partition by g.status
      order by g.money) + 1 end as from_money from guarantees g)`,
);

export const list = (
  app: App,
  actor: Actor,
  filters: ParsedOf<typeof calls.listGuarantees>,
): Promise<Listed<Guarantee>> =>
  app.db.tx(callerOf(actor), (work) =>
    listRows(work, tiersWithLowerBound, {
      conditions: filterConditions(filters, {
        q: (q) => sql<boolean>`strpos((r.money / 100)::text, ${q}) = 1`,
        status: equal,
        money_from: atLeast('r.money'),
        money_to: atMost('r.money'),
      }),
      paging: filters,
      sortable: ['money', 'price', 'status', 'created_at', 'updated_at'],
    }),
  );

export const get = (
  app: App,
  actor: Actor,
  { id }: ParsedOf<typeof calls.getGuarantee>,
): Promise<Guarantee> =>
  app.db.tx(callerOf(actor), (work) => getRow(work, tiersWithLowerBound, id));

/**
 * Fails if a higher value would cost less among the enabled tiers. The error contains the
 * conflicting tier below or above.
 */
const checkNeighbours = async (
  work: Work,
  { id, money, price }: Pick<Row, 'id' | 'money' | 'price'>,
): Promise<void> => {
  const neighbour = async (beyond: '<' | '>', order: 'asc' | 'desc') =>
    (
      await sql<Row>`select money, price from guarantees where status = 1 and id <> ${id}
        and money ${sql.raw(beyond)} ${money}
      order by money ${sql.raw(order)} limit 1`.execute(work.tx)
    ).rows[0];
  const below = await neighbour('<', 'desc');
  const above = await neighbour('>', 'asc');
  const paramsOf = (tier: Row) => ({ neighbour_amount: tier.money, price_amount: tier.price });
  if (below && price < below.price)
    failFields({ price: { code: 'tier_cheaper_than_below', params: paramsOf(below) } });
  if (above && price > above.price)
    failFields({ price: { code: 'tier_dearer_than_above', params: paramsOf(above) } });
};

/**
 * Checks a tier if it is enabled. A disabled tier insures nothing and may contradict other tiers.
 */
const checkTier = async (
  work: Work,
  tier: Pick<Row, 'id' | 'money' | 'price' | 'status'>,
): Promise<void> => {
  if (tier.status === 1) await checkNeighbours(work, tier);
};

export const create = (
  app: App,
  actor: Actor,
  input: ParsedOf<typeof calls.createGuarantee>,
  request: RequestContext,
): Promise<Guarantee> =>
  app.db.tx(callerOf(actor, request), async (work) => {
    await lockTiers(work, app.clock.now());
    const { id } = await auditedInsert(work, audited, {
      values: input,
      also: (tier) => checkTier(work, tier),
    });
    return getRow(work, tiersWithLowerBound, id);
  });

export const edit = (
  app: App,
  actor: Actor,
  { id, version, ...values }: ParsedOf<typeof calls.editGuarantee>,
  request: RequestContext,
): Promise<Guarantee> =>
  app.db.tx(callerOf(actor, request), async (work) => {
    await lockTiers(work, app.clock.now());
    await auditedChange(work, audited, {
      id,
      version,
      action: 'edit',
      columns: () => values,
      also: (tier) => checkTier(work, tier),
    });
    return getRow(work, tiersWithLowerBound, id);
  });

/** Enables or disables one row in the caller's transaction; a bulk action calls it for each row. */
export const setStatusInTx = async (
  app: App,
  work: UserWork,
  { id, status }: ParsedOf<typeof calls.setGuaranteeStatus>,
): Promise<Guarantee> => {
  await lockTiers(work, app.clock.now());
  await auditedStatus(work, audited, {
    id,
    status,
    check: async (before) => {
      if (status === 1 && before.status === 0) await checkNeighbours(work, before);
    },
  });
  return getRow(work, tiersWithLowerBound, id);
};

export const switchStatus = inOwnTx(setStatusInTx);

interface Least {
  least: number;
  names: string[];
}
const leastValues = async (work: Work): Promise<Least[]> =>
  (
    await sql<Least>`select guarantee as least, array_agg(name order by name) as names
      from merchants where status = 1 group by guarantee order by guarantee`.execute(work.tx)
  ).rows;

/**
 * The carrier accounts whose minimum insured value is in the tier, so that each of their parcels is
 * insured at least by this tier.
 */
export const usage = (
  app: App,
  actor: Actor,
  { id }: ParsedOf<typeof calls.guaranteeUsage>,
): Promise<Usage> =>
  app.db.tx(callerOf(actor), async (work) => {
    const { from_money, money } = await getRow<Guarantee>(work, tiersWithLowerBound, id);
    if (from_money === null) return { items: [] };
    const names = (await leastValues(work))
      .filter(({ least }) => least >= from_money && least <= money)
      .flatMap((one) => one.names);
    return {
      items:
        names.length > 0
          ? [{ what: 'merchants', count: names.length, names: names.slice(0, 10) }]
          : [],
    };
  });

export const fee = (
  app: App,
  actor: Actor,
  { value_amount, day }: ParsedOf<typeof calls.insuranceFee>,
): Promise<OutputOf<typeof calls.insuranceFee>> =>
  app.db.tx(callerOf(actor), async (work) => {
    const now = app.clock.now();
    // The tiers are read for the start of the requested day. If no later day is requested, the
    // present tiers are read.
    const tiers = await tiersAt(
      work,
      day !== undefined && day > businessDay(now) ? dayStart(day) : now,
    );
    const leasts = await leastValues(work);
    return {
      items: (leasts.length > 0 ? leasts : [{ least: 0, names: [] }]).map(({ least, names }) => {
        const shown = {
          merchants: names,
          least_amount: least,
          insured_amount: Math.max(least, value_amount),
        };
        const insured = insure(value_amount, { guarantee: least, tiers });
        if ('reason' in insured) {
          const params =
            insured.reason === 'no_tiers'
              ? { value_amount: insured.value }
              : { value_amount: insured.value, top_amount: insured.top };
          return {
            ...shown,
            tier_amount: null,
            price: null,
            reason: { code: insured.reason, params },
          };
        }
        return { ...shown, tier_amount: insured.tier, price: insured.amount, reason: null };
      }),
    };
  });

export const guarantees: FeaturePart = {
  routes: [
    route(calls.listGuarantees, list),
    route(calls.insuranceFee, fee),
    route(calls.getTierPlan, plans.get),
    route(calls.planTiers, plans.plan),
    route(calls.withdrawTierPlan, plans.withdraw),
    route(calls.getGuarantee, get),
    route(calls.createGuarantee, create),
    route(calls.editGuarantee, edit),
    route(calls.setGuaranteeStatus, switchStatus),
    route(calls.guaranteeUsage, usage),
  ],
  exports: {
    guarantees: {
      source: listSource(calls.listGuarantees, list),
      columns: {
        ...columnsOf('number', 'id parcels_30d'),
        ...columnsOf('money', 'from_money money price'),
        ...columnsOf('time', 'created_at updated_at'),
        // The fee in per mille of the insured value.
        rate: madeOf(
          'price money',
          ({ price, money }) => `${((Number(price) * 1_000) / Number(money)).toFixed(2)}‰`,
        ),
        status: onOff,
      },
    },
  },
  bulk: {
    guarantees: {
      endpoint: bulkCalls.bulkGuarantees,
      source: listSource(calls.listGuarantees, list),
      nameOf: namesOfTiers,
      actions: switches(setStatusInTx, 'guarantees'),
    },
  },
};
