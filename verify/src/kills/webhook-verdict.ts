import { sql } from '@waystation/server/testing/product.ts';
import { rowsOf } from '@waystation/server/testing/test-system.ts';
import type { TestSystem } from '@waystation/server/testing/test-system.ts';
import type { Receipt } from './webhook-receiver.ts';
import type { Verdict } from './verdict.ts';

/**
 * An event. `subject` is its parcel or transaction. `what` is the text that distinguishes it from
 * other events of the same subject.
 */
export interface HappenedEvent {
  subject: string;
  what: string;
}

const eventOf = ({ type, data }: Pick<Receipt, 'type' | 'data'>): HappenedEvent => ({
  subject:
    data['parcel'] === undefined ? `statement ${data['statement']}` : `parcel ${data['parcel']}`,
  what: [type, data['from_code'], data['state_code']].filter((part) => part != null).join(' '),
});

/**
 * Lists all events that happened. They are derived from data that the product keeps for other
 * purposes: state changes and weighings of parcels, and transactions of parcels. The list includes
 * all stations, and the events of each parcel or transaction are in order.
 */
export const happened = (system: TestSystem): Promise<HappenedEvent[]> =>
  rowsOf(
    system,
    sql<HappenedEvent>`select h.subject, h.what from (
        select 'parcel ' || express_id as subject, at, id as no, concat_ws(' ', case to_code
            when 10 then 'parcel.on_hold' when 90 then 'parcel.refused'
            when 100 then 'parcel.ordered' when 300 then 'parcel.signed'
            when 400 then 'parcel.exception' when 410 then 'parcel.returning'
            when 420 then 'parcel.returned' when 500 then 'parcel.cancelled'
            else 'parcel.moved' end, from_code, to_code) as what
          from express_moves where to_code not in (0, 20)
        union all
        select 'parcel ' || express_id, at, no, 'parcel.reweighed' from express_facts
          where source = 'station'
        union all
        select 'statement ' || id, posted_at, id, 'statement.posted' from statements
          where status = 'posted' and express_id is not null
      ) h order by h.subject, h.at, h.no`,
  );

const bySubject = <T extends { subject: string }>(all: readonly T[]): Map<string, T[]> =>
  Map.groupBy(all, ({ subject }) => subject);

interface Judged extends Verdict {
  /**
   * The number of different deliveries. `repeats` is the number of times that a delivery with a
   * known id arrived again.
   */
  deliveries: number;
  repeats: number;
}

/**
 * Compares the deliveries that a webhook received about one subject with the events that happened
 * to the subject.
 */
const judgeSubject = (
  verdict: Judged,
  about: string,
  { receipts, events }: { receipts: readonly Receipt[]; events: readonly HappenedEvent[] },
): void => {
  const ids = [...new Set(receipts.map(({ id }) => id))];
  const first = ids.map((id) => receipts.find((one) => one.id === id)!);
  const got = first.map((receipt) => eventOf(receipt).what);
  const expected = events.map(({ what }) => what);
  verdict.deliveries += ids.length;
  verdict.repeats += receipts.length - ids.length;
  const extra = [...got];
  for (const what of expected) {
    const at = extra.indexOf(what);
    if (at < 0) verdict.lost.push(`${about}: ${what}`);
    else extra.splice(at, 1);
  }
  verdict.doubled.push(...extra.map((what) => `${about}: ${what} under a further id`));
  // A repeated delivery arrives before the next event, because the next event is sent only after
  // the previous delivery was answered.
  const latest = receipts.map(({ id }) => ids.indexOf(id));
  const isInTurn = latest.every((no, at) => at === 0 || no >= latest[at - 1]!);
  if (
    !isInTurn ||
    (got.length === expected.length && got.some((what, at) => what !== expected[at]))
  )
    verdict.broken.push(`${about}: ${got.join(', ')} instead of ${expected.join(', ')}`);
};

/**
 * Compares the deliveries that each webhook received with the events that happened. Every webhook
 * must receive every event once, and the events of one parcel in order. A repeated delivery must
 * have the same id.
 */
export const judgeReceipts = (
  receipts: readonly Receipt[],
  hooks: readonly string[],
  events: readonly HappenedEvent[],
): Judged => {
  const verdict: Judged = { lost: [], doubled: [], broken: [], deliveries: 0, repeats: 0 };
  const expected = bySubject(events);
  const byHook = Map.groupBy(receipts, ({ hook }) => hook);
  const unsigned = receipts.filter(({ signed }) => !signed).length;
  if (unsigned > 0) verdict.broken.push(`${unsigned} receipts with a wrong signature`);
  for (const hook of hooks) {
    const received = bySubject(
      (byHook.get(hook) ?? []).map((receipt) => ({
        ...receipt,
        subject: eventOf(receipt).subject,
      })),
    );
    for (const subject of new Set([...expected.keys(), ...received.keys()]))
      judgeSubject(verdict, `${hook} ${subject}`, {
        receipts: received.get(subject) ?? [],
        events: expected.get(subject) ?? [],
      });
  }
  return verdict;
};
