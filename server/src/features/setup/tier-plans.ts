import type { calls } from '@waystation/contract/money/guarantee.schema.ts';
import type { OutputOf, ParsedOf } from '@waystation/contract/base/endpoint.ts';
import { formatYuan } from '@waystation/contract/money/money.ts';
import type { App } from '#app.ts';
import { tiersAt } from '#domain/offers/offers.ts';
import type { Tier } from '#domain/offers/offers.ts';
import { recordAudit, recordSystemAudit } from '#platform/audit.ts';
import type { Actor } from '#platform/auth/actor.ts';
import { businessDay, dayStart } from '#platform/clock.ts';
import { callerOf, jsonText, sql } from '#platform/db/db.ts';
import type { Work } from '#platform/db/db.ts';
import { systemScope } from '#platform/db/scope.ts';
import { fail, failFields } from '#platform/fail.ts';
import type { RequestContext } from '#platform/http/context.ts';

type Answer = OutputOf<typeof calls.getTierPlan>;

/** Locks the insurance tiers, because they are checked against one another. */
const lock = (work: Work) =>
  sql`select pg_advisory_xact_lock(hashtextextended('guarantees',
  0))`.execute(work.tx);

/** Tiers as text for the audit log. */
const said = (tiers: readonly Tier[]): string =>
  tiers.map(({ money, price }) => `≤ ¥${formatYuan(money)}: ¥${formatYuan(price)}`).join('; ');

const openPlan = async (work: Work) =>
  (
    await sql<{
      id: number;
      valid_from: Date;
      tiers: Tier[];
      created_at: Date;
      created_by: string | null;
    }>`select p.id, p.valid_from, p.tiers, p.created_at, a.username as created_by
      from guarantee_plans p left join accounts a on a.id = p.created_by
        where p.outcome is null`.execute(work.tx)
  ).rows[0];

/**
 * Copies the tiers of a plan into the stored tiers if its time has come. The caller's transaction
 * then holds the lock of the tiers.
 */
export const lockTiers = async (work: Work, at: Date): Promise<void> => {
  await lock(work);
  const plan = await openPlan(work);
  if (!plan || plan.valid_from > at) return;
  const before = await work.tx
    .selectFrom('guarantees')
    .select(['money', 'price'])
    .where('status', '=', 1)
    .orderBy('money')
    .execute();
  await sql`with planned as (select (t ->> 'money')::bigint as money,
    (t ->> 'price')::bigint as price
    from jsonb_array_elements(${jsonText(plan.tiers)}::jsonb) t),
    put as (insert into guarantees as g (money, price) select money, price from planned
      on conflict (money) do update
      set price = excluded.price, status = 1, version = g.version + 1, updated_at = now()
        where (g.price, g.status) <> (excluded.price, 1))
    update guarantees g set status = 0, version = version + 1, updated_at = now()
      where status = 1 and not exists (select from planned p
      where p.money = g.money)`.execute(work.tx);
  await work.tx
    .updateTable('guarantee_plans')
    .set({ outcome: 'applied', ended_at: at })
    .where('id', '=', plan.id)
    .execute();
  const changes = { tiers: [said(before), said(plan.tiers)] as const };
  await recordSystemAudit(work, {
    action: 'apply_plan',
    subject: 'guarantees',
    subject_id: null,
    changes,
  });
};

const answer = async (work: Work, now: Date): Promise<Answer> => {
  const plan = await openPlan(work);
  const waits = plan !== undefined && plan.valid_from > now;
  return {
    tiers: await tiersAt(work, now),
    plan: waits
      ? {
          ...plan,
          valid_from: plan.valid_from.toISOString(),
          created_at: plan.created_at.toISOString(),
        }
      : null,
  };
};

export const get = (app: App, actor: Actor): Promise<Answer> =>
  app.db.tx(callerOf(actor), (work) => answer(work, app.clock.now()));

/** Sorts the tiers by value. Fails if a value occurs twice, or if a higher value costs less. */
const checkTiers = (tiers: readonly Tier[]): Tier[] => {
  const sorted = tiers.toSorted((a, b) => a.money - b.money);
  for (const [at, tier] of sorted.entries()) {
    const below = sorted[at - 1];
    const place = tiers.indexOf(tier);
    if (below && below.money === tier.money)
      failFields({ [`tiers.${place}.money`]: { code: 'taken' } });
    if (below && below.price > tier.price)
      failFields({
        [`tiers.${place}.price`]: {
          code: 'tier_cheaper_than_below',
          params: { neighbour_amount: below.money, price_amount: below.price },
        },
      });
  }
  return sorted;
};

export const plan = (
  app: App,
  actor: Actor,
  input: ParsedOf<typeof calls.planTiers>,
  request: RequestContext,
): Promise<Answer> =>
  app.db.tx(callerOf(actor, request), async (work) => {
    const now = app.clock.now();
    await lockTiers(work, now);
    if (input.valid_from <= businessDay(now))
      failFields({ valid_from: { code: 'tier_plan_past' } });
    const tiers = checkTiers(input.tiers);
    if (await openPlan(work)) fail('tier_plan_waits');
    const before = await tiersAt(work, now);
    if (said(before) === said(tiers)) fail('tier_plan_unchanged');
    const valid_from = dayStart(input.valid_from);
    await work.tx
      .insertInto('guarantee_plans')
      .values({ valid_from, tiers: jsonText(tiers), created_by: actor.account_id, created_at: now })
      .execute();
    const changes = {
      valid_from: [null, valid_from.toISOString()] as const,
      tiers: [said(before), said(tiers)] as const,
    };
    await recordAudit(work, {
      action: 'plan_tiers',
      subject: 'guarantees',
      subject_id: null,
      changes,
    });
    return answer(work, now);
  });

export const withdraw = (
  app: App,
  actor: Actor,
  { id }: ParsedOf<typeof calls.withdrawTierPlan>,
  request: RequestContext,
): Promise<Answer> =>
  app.db.tx(callerOf(actor, request), async (work) => {
    const now = app.clock.now();
    await lockTiers(work, now);
    const known = await work.tx
      .selectFrom('guarantee_plans')
      .select('id')
      .where('id', '=', id)
      .executeTakeFirst();
    if (!known) return fail('not_found');
    const waiting = await openPlan(work);
    if (waiting?.id !== id) return fail('tier_plan_over');
    await work.tx
      .updateTable('guarantee_plans')
      .set({ outcome: 'withdrawn', ended_at: now })
      .where('id', '=', id)
      .execute();
    const changes = {
      valid_from: [waiting.valid_from.toISOString(), null] as const,
      tiers: [said(waiting.tiers), null] as const,
    };
    await recordAudit(work, {
      action: 'withdraw_plan',
      subject: 'guarantees',
      subject_id: null,
      changes,
    });
    return answer(work, now);
  });

/**
 * Task: copies the tiers of a plan, when its time has come, into the tiers that the list shows.
 * Prices already follow the plan before the task runs.
 */
export const applyTierPlans = (app: App): Promise<void> =>
  app.db.tx(systemScope('apply planned insurance tiers'), (work) =>
    lockTiers(work, app.clock.now()),
  );
