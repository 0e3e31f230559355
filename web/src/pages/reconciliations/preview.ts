import type { BillBucket, BillRow } from '@waystation/contract/money/reconciliation.ts';

export interface PreviewOf {
  bucket: BillBucket;
  count: number;
  /**
   * The additional amount in fen that stations pay. `less` is the amount that they no longer pay,
   * and `cost` is the change of the carrier's cost.
   */
  more: number;
  less: number;
  cost: number;
}

export interface Preview extends Omit<PreviewOf, 'bucket'> {
  buckets: PreviewOf[];
  stations: number;
}

/**
 * The change of the carrier's fee if the line is accepted. If no fee was known before, it is the
 * whole fee. If the bill has no line for the parcel, it is 0.
 */
export const costOf = ({ bucket, their_amount, our_amount }: BillRow): number => {
  if (their_amount === null || bucket === 'only_ours') return 0;
  return bucket === 'weight_differs' || bucket === 'price_differs'
    ? their_amount - (our_amount ?? 0)
    : their_amount;
};

/** True if a line can be accepted: it is undecided or disputed, and readable. */
export const acceptable = ({ decision, bucket }: Pick<BillRow, 'decision' | 'bucket'>): boolean =>
  (decision === 'open' || decision === 'disputed') && bucket !== 'unreadable';

/** True if a line is undecided; other lines cannot be disputed. */
export const disputable = ({ decision }: Pick<BillRow, 'decision'>): boolean => decision === 'open';

/**
 * The reason why a line is skipped: it matches the parcel, it was already accepted or disputed, or
 * it is unreadable.
 */
export type SkipReason = 'settled' | 'accepted' | 'disputed' | 'unreadable';

/** The number of lines that an action skips, for each reason. */
export const skippedOf = (
  rows: readonly BillRow[],
  taken: (row: BillRow) => boolean,
): { reason: SkipReason; count: number }[] => {
  const counts = new Map<SkipReason, number>();
  for (const { decision } of rows.filter((row) => !taken(row))) {
    const reason = decision === 'open' ? 'unreadable' : decision;
    counts.set(reason, (counts.get(reason) ?? 0) + 1);
  }
  return (['settled', 'accepted', 'disputed', 'unreadable'] as const).flatMap((reason) => {
    const count = counts.get(reason);
    return count === undefined ? [] : [{ reason, count }];
  });
};

/** The effect of accepting these lines, per group and in total. */
export const previewOf = (rows: readonly BillRow[]): Preview => {
  const buckets = new Map<BillBucket, PreviewOf>();
  const stations = new Set<number>();
  for (const row of rows.filter(acceptable)) {
    const sums = buckets.get(row.bucket) ?? {
      bucket: row.bucket,
      count: 0,
      more: 0,
      less: 0,
      cost: 0,
    };
    const effect = row.effect_amount ?? 0;
    buckets.set(row.bucket, {
      bucket: row.bucket,
      count: sums.count + 1,
      more: sums.more + Math.max(0, effect),
      less: sums.less + Math.max(0, -effect),
      cost: sums.cost + costOf(row),
    });
    if (effect !== 0 && row.station_id !== null) stations.add(row.station_id);
  }
  const all = [...buckets.values()];
  const sum = (key: 'count' | 'more' | 'less' | 'cost'): number =>
    all.reduce((total, each) => total + each[key], 0);
  return {
    buckets: all,
    count: sum('count'),
    more: sum('more'),
    less: sum('less'),
    cost: sum('cost'),
    stations: stations.size,
  };
};
