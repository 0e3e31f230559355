import { stateCode } from '@waystation/contract/express-states.ts';
import type { OutputOf, ParsedOf } from '@waystation/contract/endpoint.ts';
import type * as calls from '@waystation/contract/express-calls.ts';
import type { Express } from '@waystation/contract/express.ts';
import type { App } from '#app.ts';
import {
  askParcel,
  cancelExpress,
  createParcel,
  editSentParcel,
  editUnsentParcel,
  handleException,
  lockExpress,
  reweigh,
  submitParcel,
} from '#domain/express/express.ts';
import { countReveals } from '#domain/phone-search/phone-search.ts';
import { MovementRefusedError } from '#domain/ledger/ledger.ts';
import { editOf, expressIn } from '#domain/express/express-reads.ts';
import type { ExpressRow } from '#domain/express/express-reads.ts';
import { recordAudit } from '#platform/audit.ts';
import type { Changes } from '#platform/audit.ts';
import { scopeOf } from '#platform/auth/actor.ts';
import type { Actor } from '#platform/auth/actor.ts';
import { asSystem } from '#platform/db/db.ts';
import type { Tx } from '#platform/db/db.ts';
import { fail } from '#platform/fail.ts';
import type { Origin, RequestContext } from '#platform/http/context.ts';
import { withIdempotencyKey } from '#platform/idempotency.ts';
import { answerAtEnd, answerWhen, answerWith } from './answer.ts';
import { seesPhones } from './view.ts';

const settled = (express: Express): boolean => express.state_code !== stateCode.ordering;

export const get = (app: App, actor: Actor, { id }: ParsedOf<typeof calls.getExpress>): Promise<Express> => answerWith(app, actor, id);

/** Orders a parcel once, however often the request is repeated; a draft is kept as it is. `wait: 0` answers at the commit, before the carrier does. */
export const create = async (app: App, actor: Actor, input: ParsedOf<typeof calls.createExpress>, request: RequestContext): Promise<Express> => {
  try {
    return await createOnce(app, actor, input, request, 'late');
  } catch (error) {
    // The balance sufficed when it was read, and another order took it: the parcel may have to be stored on hold.
    if (error instanceof MovementRefusedError) return createOnce(app, actor, input, request, 'early');
    throw error;
  }
};

const createOnce = (
  app: App,
  actor: Actor,
  input: ParsedOf<typeof calls.createExpress>,
  request: RequestContext,
  lock_station: 'early' | 'late',
): Promise<Express> => {
  const scope = scopeOf(actor);
  return withIdempotencyKey({
    db: app.db,
    scope,
    actor,
    request,
    endpoint: 'POST /api/arco/expresses',
    ahead: (tx) => askParcel(tx, scope, actor, input),
    effect: async (tx, asked) => {
      const { id, station_id } = await createParcel(app, tx, scope, actor, input, { asked, lock_station });
      await recordAudit(tx, actor, request, { action: input.draft === 1 ? 'draft' : 'order', subject: 'expresses', subject_id: id, station_id });
      return id;
    },
    ...('wait' in input && input.wait === 0 && { last: (tx: Tx, id: number) => answerAtEnd(tx, actor, id) }),
    answer: (id, repeated) => (repeated ? answerWith(app, actor, id) : answerWhen(app, actor, id, settled)),
  });
};

/** Orders a draft, puts a parcel on hold first, or orders again what was refused, in the caller's transaction: the row's state says which. */
const orderInState =
  (action: 'order' | 'retry') =>
  async (app: App, tx: Tx, actor: Actor, id: number, origin: Origin): Promise<void> => {
    const { station_id } = await submitParcel(app, tx, scopeOf(actor), actor, { id, action });
    await recordAudit(tx, actor, origin, { action, subject: 'expresses', subject_id: id, station_id });
  };

export const orderInTx = orderInState('order');
export const retryInTx = orderInState('retry');

const orderOnce =
  (action: string, placeIn: typeof orderInTx) =>
  (app: App, actor: Actor, { id }: { id: number }, request: RequestContext): Promise<Express> =>
    withIdempotencyKey({
      db: app.db,
      scope: scopeOf(actor),
      actor,
      request,
      endpoint: `POST /api/arco/expresses/${id}/${action}`,
      effect: async (tx) => {
        await placeIn(app, tx, actor, id, request);
        return id;
      },
      answer: (subject, repeated) => (repeated ? answerWith(app, actor, subject) : answerWhen(app, actor, subject, settled)),
    });

export const order = orderOnce('order', orderInTx);
export const retry = orderOnce('retry', retryInTx);

/** Cancels a parcel, or asks the carrier to, in the caller's transaction. */
export const cancelInTx = async (app: App, tx: Tx, actor: Actor, { id, reason }: { id: number; reason: string }, origin: Origin): Promise<void> => {
  const scope = scopeOf(actor);
  const express = await lockExpress(tx, scope, id);
  await asSystem(tx, scope, () => cancelExpress(app, tx, express, reason, actor.account_id));
  await recordAudit(tx, actor, origin, { action: 'cancel', subject: 'expresses', subject_id: id, station_id: express.station_id, reason });
};

export const cancel = async (app: App, actor: Actor, input: ParsedOf<typeof calls.cancelExpress>, request: RequestContext): Promise<Express> => {
  await app.db.tx(scopeOf(actor), (tx) => cancelInTx(app, tx, actor, input, request));
  return answerWhen(app, actor, input.id, (express) => express.canceling === 0 || express.state_code === stateCode.ordering);
};

/** The station's own weight; before pickup the hold follows. */
export const reweighOne = async (
  app: App,
  actor: Actor,
  { id, re_weight, reason }: ParsedOf<typeof calls.reweighExpress>,
  request: RequestContext,
): Promise<Express> => {
  const scope = scopeOf(actor);
  await app.db.tx(scope, async (tx) => {
    const express = await lockExpress(tx, scope, id);
    await asSystem(tx, scope, () =>
      reweigh(tx, express, re_weight, { source: 'station', at: app.clock.now(), account_id: actor.account_id, reason: reason ?? '' }),
    );
    await recordAudit(tx, actor, request, {
      action: 'reweigh',
      subject: 'expresses',
      subject_id: id,
      station_id: express.station_id,
      reason: reason ?? '',
      changes: { re_weight: [express.re_weight, re_weight] },
    });
  });
  return answerWith(app, actor, id);
};

/** Notes in the caller's transaction that somebody took care of what a parcel's exception asks for. */
export const handleInTx = async (app: App, tx: Tx, actor: Actor, { id, note }: { id: number; note: string }, origin: Origin): Promise<void> => {
  const scope = scopeOf(actor);
  const express = await lockExpress(tx, scope, id);
  await asSystem(tx, scope, () => handleException(tx, express, { note, by: actor.account_id, at: app.clock.now() }));
  await recordAudit(tx, actor, origin, { action: 'handled', subject: 'expresses', subject_id: id, station_id: express.station_id, reason: note });
};

/** The same of one parcel. */
export const handle = async (app: App, actor: Actor, { id, note }: ParsedOf<typeof calls.handleException>, request: RequestContext): Promise<Express> => {
  await app.db.tx(scopeOf(actor), (tx) => handleInTx(app, tx, actor, { id, note }, request));
  return answerWith(app, actor, id);
};

export const reveal = async (
  app: App,
  actor: Actor,
  { id }: ParsedOf<typeof calls.revealExpress>,
  request: RequestContext,
): Promise<OutputOf<typeof calls.revealExpress>> => {
  const scope = scopeOf(actor);
  return app.db.tx(scope, async (tx) => {
    const express = await expressIn(tx, scope, id);
    if (!seesPhones(actor, express.station_id)) await countReveals(app, tx, actor, [express.sender_phone, express.receive_phone]);
    await recordAudit(tx, actor, request, { action: 'reveal', subject: 'expresses', subject_id: id, station_id: express.station_id });
    return { sender_phone: express.sender_phone, receive_phone: express.receive_phone };
  });
};

type EditInput = ParsedOf<typeof calls.editExpress>;

const auditEdit = (tx: Tx, actor: Actor, origin: Origin, { express, changed }: { express: ExpressRow; changed: Changes }): Promise<void> =>
  recordAudit(tx, actor, origin, { action: 'edit', subject: 'expresses', subject_id: express.id, station_id: express.station_id, changes: changed });

/** The version that an edit was made of is not the present one. */
class StaleVersionError extends Error {}

/** The parcel once the carrier has answered a change of it, for which the caller waits as for an order; fails with its words where it refused. */
const answerOfEdit = async (app: App, actor: Actor, id: number, edit_id: number): Promise<Express> => {
  const answer = await answerWhen(app, actor, id, ({ modifying }) => modifying === 0);
  const scope = scopeOf(actor);
  const { status, words } = await app.db.tx(scope, (tx) => editOf(tx, edit_id));
  return status === 'refused' ? fail('edit_refused', { text: words }) : answer;
};

/**
 * Changes a parcel; its state says what that is: a draft unchecked, a failed one checked and priced again, one on hold priced again and held if the balance
 * suffices, one that awaits pickup at once or by the carrier's answer. With a key, a repeat is the first edit, although the version has moved on since.
 */
export const edit = async (app: App, actor: Actor, { id, version, ...input }: EditInput, request: RequestContext): Promise<Express> => {
  const scope = scopeOf(actor);
  /** The carrier's change that is waited for; 0: there is none. */
  const effect = async (tx: Tx): Promise<number> => {
    const { state_code } = await expressIn(tx, scope, id);
    const change = { id, version, input };
    const found =
      state_code === stateCode.awaitingPickup
        ? await editSentParcel(app, tx, scope, actor, change)
        : { edit_id: null, ...((await editUnsentParcel(app, tx, scope, actor, change)) ?? { express: null }) };
    if (found === null || found.express === null) throw new StaleVersionError();
    await auditEdit(tx, actor, request, found);
    return found.edit_id ?? 0;
  };
  const answer = (edit_id: number): Promise<Express> => (edit_id === 0 ? answerWith(app, actor, id) : answerOfEdit(app, actor, id, edit_id));
  const endpoint = `PATCH /api/arco/expresses/${id}`;
  try {
    if (request.idempotency_key !== '') return await withIdempotencyKey({ db: app.db, scope, actor, request, endpoint, effect, answer });
    return await answer(await app.db.tx(scope, effect));
  } catch (error) {
    if (!(error instanceof StaleVersionError)) throw error;
  }
  // Read after the transaction: a second connection taken inside it could starve the pool.
  return fail('version_conflict', {}, { current: await answerWith(app, actor, id) });
};
