import { stateCode } from '@waystation/contract/parcels/express-states.ts';
import type { OutputOf, ParsedOf } from '@waystation/contract/base/endpoint.ts';
import type * as calls from '@waystation/contract/parcels/express-calls.ts';
import type { Express } from '@waystation/contract/parcels/express.ts';
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
import { editOf, expressIn, windowGone } from '#domain/express/express-reads.ts';
import type { ExpressRow } from '#domain/express/express-reads.ts';
import { recordAudit } from '#platform/audit.ts';
import type { Changes } from '#platform/audit.ts';
import type { Actor } from '#platform/auth/actor.ts';
import { callerOf } from '#platform/db/db.ts';
import type { UserWork } from '#platform/db/db.ts';
import { fail, failFields } from '#platform/fail.ts';
import type { RequestContext } from '#platform/http/context.ts';
import { withIdempotencyKey } from '#platform/idempotency.ts';
import { answerAtEnd, answerWhen, answerWith } from './answer.ts';
import { seesPhones } from './view.ts';

const settled = (express: Express): boolean => express.state_code !== stateCode.ordering;

export const get = (
  app: App,
  actor: Actor,
  { id }: ParsedOf<typeof calls.getExpress>,
): Promise<Express> => answerWith(app, actor, id);

/**
 * Orders a parcel once, however often the request is repeated. A draft is stored as it is. With
 * `wait: 0` the response is sent at the commit, before the carrier answers.
 */
export const create = async (
  app: App,
  actor: Actor,
  input: ParsedOf<typeof calls.createExpress>,
  request: RequestContext,
): Promise<Express> => {
  try {
    return await createOnce(app, actor, input, { request, lock_station: 'late' });
  } catch (error) {
    // The balance sufficed when it was read, but another order used it meanwhile. The parcel may
    // have to be stored on hold.
    if (error instanceof MovementRefusedError)
      return createOnce(app, actor, input, { request, lock_station: 'early' });
    throw error;
  }
};

const createOnce = (
  app: App,
  actor: Actor,
  input: ParsedOf<typeof calls.createExpress>,
  { request, lock_station }: { request: RequestContext; lock_station: 'early' | 'late' },
): Promise<Express> => {
  const caller = callerOf(actor, request);
  return withIdempotencyKey({
    db: app.db,
    caller,
    request,
    endpoint: 'POST /api/arco/expresses',
    ahead: (work) => askParcel(work, input),
    effect: async (work, asked) => {
      const { id, station_id } = await createParcel(app, work, input, {
        asked,
        lock_station,
      });
      await recordAudit(work, {
        action: input.draft === 1 ? 'draft' : 'order',
        subject: 'expresses',
        subject_id: id,
        station_id,
      });
      return id;
    },
    ...('wait' in input &&
      input.wait === 0 && { last: (work: UserWork, id: number) => answerAtEnd(work, id) }),
    answer: (id, repeated) =>
      repeated ? answerWith(app, actor, id) : answerWhen(app, actor, id, settled),
  });
};

/**
 * Makes a function that orders a parcel in the caller's transaction: a draft for the first time, a
 * parcel on hold after its release, a refused parcel again.
 */
const orderInState =
  (action: 'order' | 'retry') =>
  async (app: App, work: UserWork, id: number, by_rule?: 1 | undefined): Promise<void> => {
    const { station_id } = await submitParcel(app, work, { id, action, by_rule });
    await recordAudit(work, {
      action,
      subject: 'expresses',
      subject_id: id,
      station_id,
    });
  };

export const orderInTx = orderInState('order');
export const retryInTx = orderInState('retry');

const orderOnce =
  (action: string, placeIn: typeof orderInTx) =>
  (
    app: App,
    actor: Actor,
    { id, by_rule }: { id: number; by_rule?: 1 | undefined },
    request: RequestContext,
  ): Promise<Express> =>
    withIdempotencyKey({
      db: app.db,
      caller: callerOf(actor, request),
      request,
      endpoint: `POST /api/arco/expresses/${id}/${action}`,
      effect: async (work) => {
        await placeIn(app, work, id, by_rule);
        return id;
      },
      answer: (subject, repeated) =>
        repeated ? answerWith(app, actor, subject) : answerWhen(app, actor, subject, settled),
    });

export const order = orderOnce('order', orderInTx);
export const retry = orderOnce('retry', retryInTx);

/** Cancels a parcel, or asks the carrier to cancel it, in the caller's transaction. */
export const cancelInTx = async (
  app: App,
  work: UserWork,
  { id, reason }: { id: number; reason: string },
): Promise<void> => {
  const express = await lockExpress(work, id);
  await work.asSystem('cancel of a parcel', (system) =>
    cancelExpress(app, system, express, { reason, by: work.actor.account_id }),
  );
  await recordAudit(work, {
    action: 'cancel',
    subject: 'expresses',
    subject_id: id,
    station_id: express.station_id,
    reason,
  });
};

export const cancel = async (
  app: App,
  actor: Actor,
  input: ParsedOf<typeof calls.cancelExpress>,
  request: RequestContext,
): Promise<Express> => {
  await app.db.tx(callerOf(actor, request), (work) => cancelInTx(app, work, input));
  return answerWhen(
    app,
    actor,
    input.id,
    (express) => express.canceling === 0 || express.state_code === stateCode.ordering,
  );
};

/** Stores the weight that the station measured. Before pickup the held amount is adjusted to it. */
export const reweighOne = async (
  app: App,
  actor: Actor,
  { id, re_weight, reason }: ParsedOf<typeof calls.reweighExpress>,
  request: RequestContext,
): Promise<Express> => {
  const caller = callerOf(actor, request);
  await app.db.tx(caller, async (work) => {
    const express = await lockExpress(work, id);
    await work.asSystem('price of a re-weigh', (system) =>
      reweigh(system, express, re_weight, {
        source: 'station',
        at: app.clock.now(),
        account_id: actor.account_id,
        reason: reason ?? '',
      }),
    );
    await recordAudit(work, {
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

/** Records that a user handled a parcel's exception, in the caller's transaction. */
export const handleInTx = async (
  app: App,
  work: UserWork,
  { id, note }: { id: number; note: string },
): Promise<void> => {
  const express = await lockExpress(work, id);
  await work.asSystem('exception of a parcel', (system) =>
    handleException(system, express, { note, by: work.actor.account_id, at: app.clock.now() }),
  );
  await recordAudit(work, {
    action: 'handled',
    subject: 'expresses',
    subject_id: id,
    station_id: express.station_id,
    reason: note,
  });
};

/** Handles the exception of one parcel. */
export const handle = async (
  app: App,
  actor: Actor,
  { id, note }: ParsedOf<typeof calls.handleException>,
  request: RequestContext,
): Promise<Express> => {
  await app.db.tx(callerOf(actor, request), (work) => handleInTx(app, work, { id, note }));
  return answerWith(app, actor, id);
};

export const reveal = async (
  app: App,
  actor: Actor,
  { id }: ParsedOf<typeof calls.revealExpress>,
  request: RequestContext,
): Promise<OutputOf<typeof calls.revealExpress>> => {
  const caller = callerOf(actor, request);
  return app.db.tx(caller, async (work) => {
    const express = await expressIn(work, id);
    if (!seesPhones(actor, express.station_id))
      await countReveals(app, work, [express.sender_phone, express.receive_phone]);
    await recordAudit(work, {
      action: 'reveal',
      subject: 'expresses',
      subject_id: id,
      station_id: express.station_id,
    });
    return { sender_phone: express.sender_phone, receive_phone: express.receive_phone };
  });
};

type EditInput = ParsedOf<typeof calls.editExpress>;

const auditEdit = (
  work: UserWork,
  { express, changed }: { express: ExpressRow; changed: Changes },
): Promise<void> =>
  recordAudit(work, {
    action: 'edit',
    subject: 'expresses',
    subject_id: express.id,
    station_id: express.station_id,
    changes: changed,
  });

/** Thrown if the version of an edit is not the present version. */
class StaleVersionError extends Error {}

/**
 * Returns the parcel after the carrier has answered a change, and waits for that as for an order.
 * Fails with the carrier's text if the carrier refused.
 */
const answerOfEdit = async (
  app: App,
  actor: Actor,
  id: number,
  edit_id: number,
): Promise<Express> => {
  const answer = await answerWhen(app, actor, id, ({ modifying }) => modifying === 0);
  const caller = callerOf(actor);
  const { status, words } = await app.db.tx(caller, (work) => editOf(work, edit_id));
  if (status !== 'refused') return answer;
  return words === windowGone
    ? failFields({ pickup_from: { code: windowGone } })
    : fail('edit_refused', { text: words });
};

/**
 * Changes a parcel depending on its state. A draft is stored unchecked, and a failed parcel is
 * checked and repriced. A parcel on hold is repriced, and its money is held if the balance
 * suffices. A parcel that awaits pickup is changed at once or after the carrier's response. A
 * repeat with the same idempotency key returns the first edit, even if the version has changed
 * since.
 */
export const edit = async (
  app: App,
  actor: Actor,
  { id, version, ...input }: EditInput,
  request: RequestContext,
): Promise<Express> => {
  const caller = callerOf(actor, request);
  /**
   * Changes the parcel; returns the id of the pending carrier change to wait for, or 0 if there is
   * none.
   */
  const effect = async (work: UserWork): Promise<number> => {
    const { state_code } = await expressIn(work, id);
    const change = { id, version, input };
    const found =
      state_code === stateCode.awaitingPickup
        ? await editSentParcel(app, work, change)
        : {
            edit_id: null,
            ...((await editUnsentParcel(app, work, change)) ?? {
              express: null,
            }),
          };
    if (found === null || found.express === null) throw new StaleVersionError();
    await auditEdit(work, found);
    return found.edit_id ?? 0;
  };
  const answer = (edit_id: number): Promise<Express> =>
    edit_id === 0 ? answerWith(app, actor, id) : answerOfEdit(app, actor, id, edit_id);
  const endpoint = `PATCH /api/arco/expresses/${id}`;
  try {
    if (request.idempotency_key !== '')
      return await withIdempotencyKey({
        db: app.db,
        caller,
        request,
        endpoint,
        effect,
        answer,
      });
    return await answer(await app.db.tx(caller, effect));
  } catch (error) {
    if (!(error instanceof StaleVersionError)) throw error;
  }
  // The current version is read after the transaction, because a second connection taken within it
  // could exhaust the pool.
  return fail('version_conflict', {}, { current: await answerWith(app, actor, id) });
};
