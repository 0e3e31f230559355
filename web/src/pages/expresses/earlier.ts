import type { StateCode } from '@waystation/contract/parcels/express-states.ts';
import type { Happening, Sources } from './timeline.ts';

/**
 * A field whose value was changed after the earlier time. `then` is its text at that time, and
 * `now` is its present text.
 */
export interface EarlierField {
  field: string;
  then: unknown;
  now: unknown;
}

/** The facts that were known about a parcel at an earlier time. */
export interface Earlier {
  /** Null if the carrier had reported nothing by then. */
  state_code: StateCode | null;
  /** In fen, and `cal_weight` in grams; both null before the first pricing. */
  post_amount: number | null;
  cal_weight: number | null;
  prints: number;
  /** The fields that were edited after this time. */
  fields: EarlierField[];
}

/**
 * The parcel as it was directly after an earlier event. It has the report, the price and the number
 * of prints that were the latest at that time. Fields that were edited later have their earlier
 * text.
 */
export const earlierOf = (
  { reports, pricings, changes }: Omit<Sources, 'lines'>,
  { at }: Pick<Happening, 'at'>,
): Earlier => {
  const moment = Date.parse(at);
  const upTo = <T>(rows: readonly T[], timeOf: (row: T) => string): T[] =>
    rows
      .filter((row) => Date.parse(timeOf(row)) <= moment)
      .toSorted((a, b) => Date.parse(timeOf(a)) - Date.parse(timeOf(b)));
  const report = upTo(
    reports.filter(({ our_state }) => our_state !== null),
    (row) => row.at,
  ).at(-1);
  const pricing = upTo(pricings, (row) => row.at).at(-1);
  const later = changes
    .filter((change) => Date.parse(change.at) > moment)
    .toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at) || a.id - b.id);
  const fields = new Map<string, EarlierField>();
  for (const change of later)
    for (const [field, [from, to]] of Object.entries(change.changes)) {
      if (from === null && to === null) continue;
      fields.set(field, {
        field,
        then: fields.has(field) ? fields.get(field)!.then : from,
        now: to,
      });
    }
  return {
    state_code: (report?.our_state ?? null) as StateCode | null,
    post_amount: pricing?.price.post_amount ?? null,
    cal_weight: pricing?.price.cal_weight ?? null,
    prints: changes.filter(
      ({ action, at: then }) => action === 'print' && Date.parse(then) <= moment,
    ).length,
    fields: [...fields.values()].filter(({ then, now }) => then !== now),
  };
};
