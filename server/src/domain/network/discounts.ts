import type { Reason } from '@waystation/contract/base/envelope.ts';
import { percentText, zheText } from '@waystation/contract/money/money.ts';
import type { Discounts } from '@waystation/contract/money/terms.ts';
import { firstOf } from '@waystation/contract/base/present.ts';
import { offersOf } from '#domain/offers/offers.ts';
import { rateOf } from '#domain/pricing/pricing.ts';
import { sql } from '#platform/db/db.ts';
import type { ReaderWork, Work } from '#platform/db/db.ts';
import { scopeCondition } from '#platform/db/scope.ts';
import { failFields } from '#platform/fail.ts';
import type { StationRow } from './tree.ts';

type Neighbour = Discounts & { id: number; name: string };
const names = ['discount', 'northeast_discount'] as const;
type Name = (typeof names)[number];

/**
 * True if both discounts are set and the first one means a lower price than the second one. A
 * discount that is not set follows the template and is not compared.
 */
const paysLess = (one: Discounts, other: Discounts, name: Name): boolean =>
  one[name] !== null && other[name] !== null && one[name]! < other[name]!;

/** A rate as parameters of an error text: `percent` for English, `zhe` for Chinese. */
const rateParams = (rate: number) => ({ percent: percentText(rate), zhe: zheText(rate) });

const neighboursOf = async (
  work: Work,
  row: StationRow,
): Promise<{ parent: Neighbour | undefined; children: Neighbour[] }> => {
  const { rows } = await sql<Neighbour>`select id, name, discount, northeast_discount
    from stations
    where (id = ${row.parent_id} or parent_id = ${row.id}) and ${scopeCondition(work, 'id')}
      order by id`.execute(work.tx);
  return {
    parent: rows.find(({ id }) => id === row.parent_id),
    children: rows.filter(({ id }) => id !== row.parent_id),
  };
};

/**
 * The station's rates for which an option would cost the station less than it costs the partner's
 * own station, at the current templates.
 */
const betterThanOwn = async (
  work: ReaderWork,
  row: StationRow,
  at: Date,
): Promise<Partial<Record<Name, Reason>>> => {
  const rows = await work.tx
    .selectFrom('stations')
    .select(['discount', 'northeast_discount'])
    .where('id', '=', work.actor.station_id)
    .where(scopeCondition(work, 'id'))
    .execute();
  const own = firstOf(rows);
  const offers = await work.asSystem('offers of a station', (system) => offersOf(system, row, at));
  const templates: Discounts[] =
    offers.length > 0
      ? offers.map(({ terms }) => terms.voucher)
      : [{ discount: null, northeast_discount: null }];
  const problems: Partial<Record<Name, Reason>> = {};
  for (const template of templates)
    for (const name of names) {
      const northeast = name === 'northeast_discount';
      const mine = rateOf(own, template, northeast).rate;
      if (rateOf(row, template, northeast).rate < mine)
        problems[name] = { code: 'discount_better_than_own', params: rateParams(mine) };
    }
  // The north-east discount is not set, so it follows the ordinary discount, which is reported
  // already.
  if (row.northeast_discount === null && problems.discount) delete problems.northeast_discount;
  return problems;
};

/** The changed part of a station: some of its own discounts, or its parent. */
export type DiscountChange = readonly Name[] | 'parent';

/**
 * Fails if the stored station now pays less than its parent, or more than one of its children,
 * unless a super admin confirms it. For a partner, it also fails if the station would pay less than
 * the partner's own station (requirements §10.2.14). Only the changed rates are checked.
 */
export const checkDiscounts = async (
  work: ReaderWork,
  row: StationRow,
  changed: DiscountChange,
  at: Date,
): Promise<void> => {
  if (work.actor.role === 'super') return;
  const { parent, children } = await neighboursOf(work, row);
  const problems: Partial<Record<Name, Reason>> =
    work.actor.role === 'partner' ? await betterThanOwn(work, row, at) : {};
  for (const name of names) {
    const child =
      changed === 'parent' ? undefined : children.find((one) => paysLess(one, row, name));
    if (child)
      problems[name] = {
        code: 'discount_worse_than_child',
        params: { name: child.name, ...rateParams(child[name]!) },
      };
    if (parent && paysLess(row, parent, name))
      problems[name] = {
        code: 'discount_better_than_parent',
        params: { name: parent.name, ...rateParams(parent[name]!) },
      };
  }
  const judged = Object.entries(problems).filter(
    ([name]) => changed === 'parent' || changed.some((one) => one === name),
  );
  // If only the station's parent was changed, the error is reported at the field `parent_id`,
  // because the user did not change the discounts.
  if (judged.length > 0)
    failFields(
      Object.fromEntries(
        judged.map(([name, reason]) => [changed === 'parent' ? 'parent_id' : name, reason]),
      ),
    );
};
