import type { AuditRow } from '@waystation/contract/shell/audit.ts';
import type { OutputOf } from '@waystation/contract/base/endpoint.ts';
import type {
  Pricing,
  expressStatements,
  traceExpress,
} from '@waystation/contract/parcels/express-calls.ts';

type Report = OutputOf<typeof traceExpress>['items'][number];
type Line = OutputOf<typeof expressStatements>['items'][number];

export const timelineKinds = ['carrier', 'price', 'money', 'print', 'change'] as const;
export type TimelineKind = (typeof timelineKinds)[number];

/** Something that happened to a parcel, as one entry of the timeline. */
export type Happening = { at: string; key: string } & (
  | { kind: 'carrier'; report: Report }
  /** `before`: the price that this price replaced; null for the first price. */
  | { kind: 'price'; pricing: Pricing; before: Pricing | null }
  | { kind: 'money'; line: Line }
  | { kind: 'print' | 'change'; change: AuditRow }
);

export interface Sources {
  reports: readonly Report[];
  /** The pricings of the parcel, oldest first. */
  pricings: readonly Pricing[];
  lines: readonly Line[];
  changes: readonly AuditRow[];
}

/**
 * All reports, pricings, transactions, prints and changes, newest first. Events of the same time
 * are sorted by kind.
 */
export const timelineOf = ({ reports, pricings, lines, changes }: Sources): Happening[] =>
  [
    ...reports.map((report, index): Happening => ({
      kind: 'carrier',
      at: report.at,
      key: `carrier ${index}`,
      report,
    })),
    ...pricings.map((pricing, index): Happening => ({
      kind: 'price',
      at: pricing.at,
      key: `price ${pricing.no}`,
      pricing,
      before: pricings[index - 1] ?? null,
    })),
    ...lines.map((line): Happening => ({
      kind: 'money',
      at: line.created_at,
      key: `money ${line.id}`,
      line,
    })),
    ...changes.map((change): Happening => ({
      kind: change.action === 'print' ? 'print' : 'change',
      at: change.at,
      key: `change ${change.id}`,
      change,
    })),
  ].toSorted(
    (a, b) =>
      Date.parse(b.at) - Date.parse(a.at) ||
      timelineKinds.indexOf(a.kind) - timelineKinds.indexOf(b.kind),
  );
