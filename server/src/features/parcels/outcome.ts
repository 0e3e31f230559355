import type { OutputOf, ParsedOf } from '@waystation/contract/base/endpoint.ts';
import type * as calls from '@waystation/contract/parcels/express-calls.ts';
import { mostTraceShown } from '@waystation/contract/parcels/express-outcome.ts';
import type { Express } from '@waystation/contract/parcels/express.ts';
import { waybillOf } from '@waystation/contract/parcels/waybill-number.ts';
import type { App } from '#app.ts';
import { raiseAlert } from '#domain/alerts/alerts.ts';
import { checkOutcome, decideOutcome, waybillOwner } from '#domain/express/express.ts';
import { recordAudit } from '#platform/audit.ts';
import { scopeOf } from '#platform/auth/actor.ts';
import type { Actor } from '#platform/auth/actor.ts';
import { fail, failFields } from '#platform/fail.ts';
import type { RequestContext } from '#platform/http/context.ts';
import type { UserWork } from '#platform/db/db.ts';
import { keepKey, repeatOf } from '#platform/idempotency.ts';
import { answerWith } from './answer.ts';

type Check = OutputOf<typeof calls.checkOutcome>;
type Decision = ParsedOf<typeof calls.decideOutcome>;
type StoredAs = { delivery_id: string } | null;
type Before = Pick<Express, 'id' | 'order_id' | 'station_id'> & { attempt: number };
type Said = Awaited<ReturnType<typeof checkOutcome>>;

/** Reads a waybill number that was typed or scanned. */
const readWaybill = (number: string): string => waybillOf(number) ?? number.trim().toUpperCase();

const searchOf = ({ search }: Said): Check['search'] => {
  if (search === null) return { result: 'not_asked', delivery_id: null, text: '' };
  switch (search.outcome) {
    case 'accepted':
      return { result: 'stored', delivery_id: search.delivery_id, text: '' };
    case 'stored_without_number':
      return { result: 'stored_without_number', delivery_id: null, text: search.text };
    case 'repeat_refused':
      return { result: 'refused', delivery_id: null, text: search.text };
    case 'not_stored':
      return { result: 'not_found', delivery_id: null, text: search.text };
    default:
      return { result: 'no_answer', delivery_id: null, text: 'text' in search ? search.text : '' };
  }
};

const waybillIn = (
  parcel: Express,
  { delivery_id, source, details, trace }: Said['waybills'][number],
): Check['waybills'][number] => ({
  delivery_id,
  source,
  details: {
    result: waybillOwner(parcel, { details, trace }),
    order_id: details.outcome === 'ok' ? details.value.order_id : '',
    text: 'text' in details ? details.text : '',
  },
  trace: {
    result:
      trace.outcome === 'ok' ? 'found' : trace.outcome === 'refused' ? 'unknown' : 'no_answer',
    text: 'text' in trace ? trace.text : '',
    items:
      trace.outcome === 'ok'
        ? trace.value.messages
            .toSorted((a, b) => b.operation_time.getTime() - a.operation_time.getTime())
            .slice(0, mostTraceShown)
            .map(({ operation_time, title, place }) => ({
              at: operation_time.toISOString(),
              title,
              place,
            }))
        : [],
  },
});

/**
 * Requests the carrier's present information about an order with an open outcome, and about a
 * waybill that a user gives for it.
 */
export const check = async (
  app: App,
  actor: Actor,
  { id, delivery_id }: ParsedOf<typeof calls.checkOutcome>,
): Promise<Check> => {
  const typed = delivery_id === undefined ? undefined : readWaybill(delivery_id);
  const said = await checkOutcome(app, scopeOf(actor), {
    id,
    by: actor.account_id,
    typed,
  });
  const parcel = await answerWith(app, actor, id);
  return {
    search: searchOf(said),
    waybills: said.waybills.map((waybill) => waybillIn(parcel, waybill)),
    parcel,
  };
};

/**
 * Raises an alert about an order that was decided by a written confirmation. The user who decided
 * cannot close the alert, so that another administrator checks the confirmation.
 */
const raiseWritten = async (
  work: UserWork,
  { before, stored, reference }: { before: Before; stored: StoredAs; reference: string },
): Promise<void> => {
  const { id, order_id, attempt, station_id } = before;
  const code = stored === null ? 'order_ended_in_writing' : 'order_stored_in_writing';
  await raiseAlert(work, {
    code,
    params: {
      account: work.actor.username,
      order_id,
      reference,
      ...(stored !== null && { delivery_id: stored.delivery_id }),
    },
    express_id: id,
    station_id,
    account_id: work.actor.account_id,
    key: `${code}:${id}:${attempt}`,
  });
};

/**
 * Decides an order with an open outcome: not stored by the carrier, or stored under a waybill. Only
 * administrators may do this.
 */
export const decide = async (
  app: App,
  actor: Actor,
  { id, version, outcome, delivery_id, compared, reference: written }: Decision,
  request: RequestContext,
): Promise<Express> => {
  const reference = written ?? null;
  if (outcome === 'stored' && delivery_id === undefined)
    failFields({ delivery_id: { code: 'required' } });
  const stored =
    outcome === 'stored'
      ? { delivery_id: readWaybill(delivery_id!), compared: compared === 1 }
      : null;
  const key = { actor, request, endpoint: `POST /api/arco/expresses/${id}/outcome` };
  const verdict = await decideOutcome(app, scopeOf(actor), {
    id,
    version,
    by: actor.account_id,
    stored,
    reference,
    isRepeated: async (work) => (await repeatOf(work, key)) !== null,
    record: async (work, before) => {
      await recordAudit(work.by(actor, request), {
        action: stored === null ? 'end_order' : 'confirm_order',
        subject: 'expresses',
        subject_id: id,
        station_id: before.station_id,
        changes: {
          ...(stored !== null && { delivery_id: [before.delivery_id, stored.delivery_id] }),
          ...(reference !== null && { reference: [null, reference] }),
        },
      });
      if (reference !== null)
        await raiseWritten(work.by(actor, request), { before, stored, reference });
      await keepKey(work, key, id);
    },
  });
  const current = await answerWith(app, actor, id);
  if (verdict === 'decided') return current;
  return verdict === 'stale'
    ? fail('version_conflict', {}, { current })
    : fail(verdict.code, verdict.params ?? {}, { current });
};
