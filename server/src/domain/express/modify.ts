import { isArrived, isOver } from '@waystation/contract/parcels/express-states.ts';
import { present } from '@waystation/contract/base/present.ts';
import { raiseAlert } from '#domain/alerts/alerts.ts';
import type { Answered, Measured } from '#domain/carriers/carriers.ts';
import { sql } from '#platform/db/db.ts';
import type { RowOf, Work } from '#platform/db/db.ts';
import { systemScope } from '#platform/db/scope.ts';
import { fail } from '#platform/fail.ts';
import {
  callCarrier,
  gatewaySeconds,
  inSeconds,
  pausedSeconds,
  repeatSeconds,
} from './call-carrier.ts';
import { openAccountInTx } from '#domain/carrier-accounts/carrier-accounts.ts';
import type { CarrierContext, OpenAccount } from '#domain/carrier-accounts/carrier-accounts.ts';
import { adjustHold, applyEdit } from './facts.ts';
import { sortingFields } from './label-changes.ts';
import { announce } from './moves.ts';
import type { ParcelFields } from './parcel.ts';
import { askWindow, isWindowKnown, windowGone, windowProblem } from './pickup-window.ts';
import { queueModify, queueSorting } from './queues.ts';
import type { ModifyPayload } from './queues.ts';
import { lockExpress, updateExpress } from './row.ts';
import type { ExpressRow } from './row.ts';
import { carrierOrder } from './send.ts';

export const pickupNames = ['pickup_from', 'pickup_until'] as const;

const editColumns = [
  'id',
  'express_id',
  'account_id',
  'status',
  'request',
  'changes',
  'terms',
  'voucher_id',
  'voucher_no',
  'tries',
  'words',
] as const;
type EditRow = Omit<RowOf<'express_edits', (typeof editColumns)[number]>, 'changes'> & {
  changes: Partial<ParcelFields>;
};

export const editOf = async (work: Work, edit_id: number): Promise<EditRow> => {
  const row = await work.tx
    .selectFrom('express_edits')
    .select(editColumns)
    .where('id', '=', edit_id)
    .executeTakeFirst();
  if (row === undefined) return fail('not_found');
  const changes = row.changes as Stored<Partial<ParcelFields>>;
  const times = pickupNames.flatMap((name) => {
    const text = changes[name];
    return typeof text === 'string' ? [[name, new Date(text)] as const] : [];
  });
  return { ...row, changes: { ...changes, ...Object.fromEntries(times) } as Partial<ParcelFields> };
};

/** A type whose times are texts, as jsonb stores them. */
type Stored<T> = { [K in keyof T]: Date extends T[K] ? Exclude<T[K], Date> | string : T[K] };

/** The result of an edit at the carrier. `words`: the carrier's text of a refusal. */
interface Settled {
  status: EditRow['status'];
  at: Date;
  words?: string;
}

/** The pickup window that an edit replaces; empty if the edit does not change the window. */
const leftWindow = (
  { pickup_from, pickup_until }: ExpressRow,
  { changes }: EditRow,
): Partial<Pick<RowOf<'express_edits'>, 'left_from' | 'left_until'>> =>
  changes.pickup_from === undefined ? {} : { left_from: pickup_from, left_until: pickup_until };

/**
 * Ends an edit. If the edit was refused or is no longer needed and the hold is still open, lowers
 * the hold again.
 */
const settle = async (
  work: Work,
  express: ExpressRow,
  edit: EditRow,
  { status, at, words = '' }: Settled,
): Promise<void> => {
  if (status === 'refused' || status === 'moot')
    await adjustHold(
      work,
      { ...express, modifying: 0 },
      { cause: `edit:${edit.id}:back`, at, by: edit.account_id },
    );
  await work.tx
    .updateTable('express_edits')
    .set({
      status,
      settled_at: at,
      words: words.slice(0, 500),
      ...(status === 'done' && leftWindow(express, edit)),
    })
    .where('id', '=', edit.id)
    .execute();
  await work.tx
    .updateTable('expresses')
    .set({ modifying: 0, updated_at: sql`clock_timestamp()` })
    .where('id', '=', edit.express_id)
    .where('modifying', '=', 1)
    .execute();
  await announce(work, edit.express_id);
};

const all = systemScope('modify');
/** Seconds until an edit whose call was not sent is sent again. */
const unsentEditSeconds = 8;

/**
 * Task: sends a change to the carrier, with the same bytes until the carrier has answered. If the
 * first call is refused, the parcel stays as it was and the hold returns to the old price. If a
 * repeated call is refused, the carrier may have made the change at the first call. Then the higher
 * hold stays, and an alert asks for a decision.
 */
export const modifyParcel = async (
  context: CarrierContext,
  payload: ModifyPayload,
): Promise<void> => {
  const { edit_id } = payload;
  let known = payload;
  const again = (work: Work, seconds: number): Promise<void> =>
    queueModify(work, known, inSeconds(context, seconds));
  await callCarrier(context, all, {
    caller: 'modify_parcel',
    ready: async (work) => {
      const pending = await lockPending(context, work, edit_id);
      if (!pending) return null;
      const opened = await openAccountInTx(context, work, present(pending.express.merchant_id));
      if (await endedForWindow(context, work, opened, pending)) return null;
      if (opened.paused) {
        await again(work, pausedSeconds);
        return null;
      }
      await sql`update express_edits set tries = tries + 1 where id = ${edit_id}`.execute(work.tx);
      return { ...pending, opened };
    },
    call: async ({ express, edit, opened }) => {
      const { carrier, account } = opened;
      const asked = await askOnce(context, opened, known, { express, edit });
      if (asked === null) return [null, null];
      known = asked;
      const answer = await carrier.modify(account, edit.request);
      const isUnclear =
        answer.outcome === 'refused' && edit.tries > 0 && edit.changes.package_count !== undefined;
      return [
        answer,
        isUnclear
          ? await carrier.details(account, { delivery_id: present(express.delivery_id) })
          : null,
      ];
    },
    settle: async (work, express, [answer, details], { express: before, edit: sent }) => {
      const edit = await editOf(work, edit_id);
      if (edit.status !== 'pending') return;
      if (answer === null)
        return conclude(context, work, express, {
          edit,
          verdict: { isTaken: false, words: windowGone },
          promised_at: null,
        });
      const isUnsent =
        answer.outcome === 'gateway' || (answer.outcome === 'unknown' && answer.not_sent === true);
      // The carrier has received nothing, so the next answer counts as the first answer.
      if (isUnsent)
        await sql`update express_edits set tries = tries - 1
        where id = ${edit_id}`.execute(work.tx);
      if (answer.outcome === 'gateway') return again(work, gatewaySeconds(answer));
      if (answer.outcome === 'unknown')
        return again(work, isUnsent ? unsentEditSeconds : repeatSeconds(sent.tries + 1));
      const isTaken =
        answer.outcome === 'ok' || (sent.tries > 0 ? takenBefore(before, sent, details) : false);
      await conclude(context, work, express, {
        edit,
        verdict: {
          isTaken,
          words: answer.outcome === 'refused' ? answer.text : '',
        },
        promised_at: known.promised_at === undefined ? null : new Date(known.promised_at),
      });
    },
  });
};

interface Pending {
  express: ExpressRow;
  edit: EditRow;
}

/**
 * Ends an edit whose new pickup window has passed or is not possible. An edit that was already sent
 * continues, because the carrier may have made the change.
 */
const endedForWindow = async (
  context: CarrierContext,
  work: Work,
  { carrier }: OpenAccount,
  { express, edit }: Pending,
): Promise<boolean> => {
  const { pickup_from = null, pickup_until = null } = edit.changes;
  const problem = windowProblem(carrier, { pickup_from, pickup_until }, context.clock.now());
  if (edit.tries > 0 || problem === null) return false;
  const verdict = { isTaken: false, words: problem.code };
  await conclude(context, work, express, { edit, verdict, promised_at: null });
  return true;
};

/**
 * Asks the carrier for an edit's new window before the first call, unless the carrier was asked a
 * short time ago. Returns null if the carrier does not offer the window.
 */
const askOnce = async (
  context: CarrierContext,
  opened: OpenAccount,
  known: ModifyPayload,
  { express, edit: { tries, changes } }: Pending,
): Promise<ModifyPayload | null> => {
  const at = context.clock.now();
  if (tries > 0 || changes.pickup_from == null || isWindowKnown(known, at)) return known;
  const question = { ...carrierOrder({ ...express, ...changes }), id: express.id };
  const { answer, promised_at } = await askWindow(context, opened, question);
  return answer === 'gone'
    ? null
    : {
        edit_id: known.edit_id,
        window_asked_at: at.getTime(),
        ...(promised_at && { promised_at: promised_at.getTime() }),
      };
};

/**
 * Ends the edit of a parcel whose journey has ended. If the parcel has arrived, the carrier may
 * have made the change, so that our data may differ from the delivered parcel. An alert therefore
 * asks for a check.
 */
const settleLate = async (
  work: Work,
  express: ExpressRow,
  edit: EditRow,
  { isTaken, words, at }: Verdict & { at: Date },
): Promise<void> => {
  if (isTaken !== false && isArrived(express.state_code))
    await raiseAlert(work, {
      code: 'edit_overtaken',
      params: { order_id: express.order_id },
      express_id: express.id,
      station_id: express.station_id,
      key: `edit:${edit.id}`,
    });
  await settle(work, express, edit, { status: 'moot', at, words });
};

/**
 * Locks a pending edit and its parcel. An edit of a parcel that has ended is settled here, because
 * the edit is no longer needed.
 */
const lockPending = async (
  context: CarrierContext,
  work: Work,
  edit_id: number,
): Promise<Pending | null> => {
  const { express_id } = await editOf(work, edit_id);
  const express = await lockExpress(work, express_id);
  const edit = await editOf(work, edit_id);
  if (edit.status !== 'pending') return null;
  if (!isOver(express.state_code)) return { express, edit };
  const isTaken = edit.tries > 0 ? null : false;
  await settleLate(work, express, edit, { isTaken, words: '', at: context.clock.now() });
  return null;
};

/**
 * True if the carrier accepted the change in an earlier call, although it refused the repeated
 * call. The number of packages in the carrier's details shows this; null if the details do not show
 * it.
 */
const takenBefore = (
  express: ExpressRow,
  edit: EditRow,
  details: Answered<Measured> | null,
): boolean | null => {
  const pieces = details?.outcome === 'ok' ? details.value.package_count : null;
  if (pieces === null) return null;
  if (pieces === edit.changes.package_count) return true;
  return pieces === express.package_count ? false : null;
};

interface Verdict {
  /** True if the carrier has accepted the change; null if this is unknown. */
  isTaken: boolean | null;
  /** The carrier's text of a refusal, or `windowGone`. */
  words: string;
}

/**
 * Fields on which the carrier's promised time depends. After a change of one of them, the former
 * promised time no longer applies.
 */
const promiseNames = [
  'pickup_from',
  'promise_id',
  'receive_province',
  'receive_city',
  'receive_county',
] as const satisfies readonly (keyof ParcelFields)[];

const changesPromise = ({ changes }: EditRow): boolean =>
  promiseNames.some((name) => changes[name] !== undefined);

interface Conclusion {
  edit: EditRow;
  verdict: Verdict;
  /** The delivery time that the carrier promises with a new window; null if it is not known. */
  promised_at: Date | null;
}

const conclude = async (
  context: CarrierContext,
  work: Work,
  express: ExpressRow,
  { edit, verdict: { isTaken, words }, promised_at }: Conclusion,
): Promise<void> => {
  const at = context.clock.now();
  if (isOver(express.state_code)) return settleLate(work, express, edit, { isTaken, words, at });
  if (isTaken === true) {
    const applied = await applyEdit(
      work,
      express,
      {
        changed: { ...edit.changes, ...(changesPromise(edit) && { promised_at }) },
        terms: edit.terms,
        voucher_id: edit.voucher_id,
        voucher_no: edit.voucher_no,
      },
      { at, account_id: edit.account_id, mustFit: false },
    );
    if (Object.keys(edit.changes).some((name) => sortingFields.includes(name))) {
      // No label is printed before the carrier has sorted the parcel for its new destination.
      await updateExpress(work, applied.id, { need_retry: 1 });
      await queueSorting(work, applied.id, at);
    }
    return settle(work, express, edit, { status: 'done', at });
  }
  if (isTaken === null) {
    await raiseAlert(work, {
      code: 'edit_unclear',
      params: { order_id: express.order_id, text: words },
      express_id: express.id,
      station_id: express.station_id,
      key: `edit:${edit.id}`,
    });
    return settle(work, express, edit, { status: 'unclear', at, words });
  }
  await settle(work, express, edit, { status: 'refused', at, words });
};
