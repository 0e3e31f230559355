import { isLive, stateCode } from '@waystation/contract/parcels/express-states.ts';
import { mostPickupReportHours } from '@waystation/contract/base/limits.ts';
import { oneRow, sql } from '#platform/db/db.ts';
import type { Work } from '#platform/db/db.ts';
import { fail } from '#platform/fail.ts';
import { readSetting } from '#platform/settings.ts';
import { updateExpress } from './row.ts';
import type { ExpressRow } from './row.ts';
import type { Folded } from './state.ts';

type Exception = Pick<
  ExpressRow,
  'exception' | 'exception_at' | 'handled_at' | 'handled_uid' | 'handled_note'
>;

/**
 * The columns of a new, open exception. If `exception` is null, the parcel has no exception any
 * more.
 */
export const newException = (exception: ExpressRow['exception'], at: Date | null): Exception => ({
  exception,
  exception_at: at,
  handled_at: null,
  handled_uid: null,
  handled_note: '',
});

const isSame = (a: Date | null, b: Date | null): boolean => a?.getTime() === b?.getTime();

/** States in which the courier has some packages of a parcel, and may still collect the others. */
const isMoving: ReadonlySet<number> = new Set([
  stateCode.pickedUp,
  stateCode.inTransit,
  stateCode.delivering,
]);
/** States in which no package is expected at the station any more. */
const isGone: ReadonlySet<number> = new Set([stateCode.cancelled, stateCode.returned]);

/**
 * The columns of the parcel's exception that change with the new state. A handled exception stays
 * handled until another exception is reported.
 */
export const exceptionFields = (
  express: ExpressRow,
  { state_code, exception, last_event_at }: Folded,
): Partial<Exception> => {
  // A charge that waits for an administrator's decision keeps its exception.
  if (express.held_status === 'open') return {};
  // A late message about an earlier time is not a new movement.
  if (
    express.exception === 'unmoved' &&
    isLive(state_code) &&
    state_code === express.state_code &&
    isSame(last_event_at, express.last_event_at)
  )
    return {};
  // The exception of a missed pickup stays until the parcel is picked up or cancelled.
  if (express.exception === 'missed' && state_code === stateCode.awaitingPickup) return {};
  // The exception of packages that were left behind stays, whatever happens to the other packages.
  if (express.exception === 'left_behind' && exception === null && !isGone.has(state_code))
    return {};
  const [kind, at] = [exception?.kind ?? null, exception?.at ?? null];
  return express.exception === kind && isSame(express.exception_at, at)
    ? {}
    : newException(kind, at);
};

const hour = 3_600_000;

/**
 * Marks a locked parcel that has not moved for the number of hours in the network settings. Another
 * open exception is kept. An exception that was marked as handled is open again after as many hours
 * without movement.
 */
export const markUnmoved = async (work: Work, express: ExpressRow, now: Date): Promise<void> => {
  if (!isLive(express.state_code) || (express.exception !== null && express.handled_at === null))
    return;
  const moved_at = express.last_event_at ?? express.ordered_at ?? express.created_at;
  // A parcel is not expected to move before the end of its pickup window.
  const booked =
    express.state_code === stateCode.awaitingPickup ? (express.pickup_until?.getTime() ?? 0) : 0;
  const since = Math.max(moved_at.getTime(), booked, express.handled_at?.getTime() ?? 0);
  if (now.getTime() - since < (await readSetting(work, 'unmoved_hours')) * hour) return;
  await updateExpress(work, express.id, newException('unmoved', moved_at));
};

/** True if a scan of a hand-over shows that the courier got the parcel. */
const isGiven = async (work: Work, express_id: number): Promise<boolean> => {
  const { rows } = await sql`select from handover_scans where express_id = ${express_id}
    and result = 'given' and taken_back_at is null limit 1`.execute(work.tx);
  return rows.length > 0;
};

/**
 * Marks a locked parcel as a missed pickup. Its pickup was not reported within some hours after the
 * end of its pickup window, it was not handed over to the courier, and no cancel is requested. An
 * open exception other than `unmoved` is kept; an exception that was marked as handled after the
 * window stays handled.
 */
export const markMissed = async (work: Work, express: ExpressRow, now: Date): Promise<void> => {
  const { id, state_code, pickup_until, exception, handled_at } = express;
  if (state_code !== stateCode.awaitingPickup || pickup_until === null) return;
  if (now.getTime() - pickup_until.getTime() < mostPickupReportHours * hour) return;
  const isOpen = handled_at === null && exception !== 'unmoved';
  const isHandled = handled_at !== null && handled_at >= pickup_until;
  if (exception !== null && (isOpen || isHandled)) return;
  if (express.cancel_requested_at !== null || (await isGiven(work, id))) return;
  await updateExpress(work, id, newException('missed', pickup_until));
};

/** The number of packages of a parcel that the courier got in hand-overs. */
const givenPackages = async (work: Work, express_id: number): Promise<number> => {
  const { n } = await oneRow(
    work,
    sql<{ n: number }>`select count(distinct package_no)::int as n from handover_scans
      where express_id = ${express_id} and result = 'given' and taken_back_at is null`,
  );
  return n;
};

/**
 * Marks a parcel whose hand-over contained only some of its packages, if the usual hours of a
 * hand-over and of reports have passed. Ends the exception when the courier has all packages. An
 * open exception other than `unmoved` is kept. A parcel without a hand-over is not marked. The
 * parcel must be locked and on its way.
 */
export const markLeftBehind = async (work: Work, express: ExpressRow, now: Date): Promise<void> => {
  const { id, package_count, picked_up_at, exception, handled_at } = express;
  const isMarked = exception === 'left_behind';
  const isTaken =
    isMoving.has(express.state_code) &&
    package_count > 1 &&
    picked_up_at !== null &&
    now.getTime() - picked_up_at.getTime() >= mostPickupReportHours * hour;
  if (!isMarked && !isTaken) return;
  const given = await givenPackages(work, id);
  if (given >= package_count) {
    if (isMarked) await updateExpress(work, id, newException(null, null));
    return;
  }
  const isKept = exception !== null && handled_at === null && exception !== 'unmoved';
  if (given === 0 || isMarked || isKept) return;
  await updateExpress(work, id, newException('left_behind', picked_up_at));
};

/** True if a parcel of an older version lacks the exception that belongs to its state. */
export const lacksException = ({
  state_code,
  exception,
}: Pick<ExpressRow, 'state_code' | 'exception'>): boolean =>
  exception === null && (state_code === stateCode.exception || state_code === stateCode.returning);

/** Records that a user handled the open exception of a locked parcel. */
export const handleException = (
  work: Work,
  express: ExpressRow,
  { note, by, at }: { note: string; by: number; at: Date },
): Promise<ExpressRow> => {
  if (express.exception === null || express.handled_at !== null) return fail('no_exception');
  if (express.exception === 'charge') fail('charge_undecided');
  return updateExpress(work, express.id, { handled_at: at, handled_uid: by, handled_note: note });
};
