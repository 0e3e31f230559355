import { handled } from '#platform/db/db.ts';
import type { Work } from '#platform/db/db.ts';
import type { Scope } from '#platform/db/scope.ts';
import { isAccountDown, recordAnswer } from '#domain/carrier-accounts/carrier-accounts.ts';
import type {
  CarrierAnswer,
  CarrierContext,
  OpenAccount,
} from '#domain/carrier-accounts/carrier-accounts.ts';
import { lockExpress } from './row.ts';
import type { ExpressRow } from './row.ts';

/** A parcel whose carrier may be called, and the account of the call. */
export interface ReadyCall {
  express: ExpressRow;
  opened: OpenAccount;
}

export interface CarrierCall<Ready extends ReadyCall, Answers, Settled, Looked = undefined> {
  /**
   * The caller, which is stored with every call: the name of a job, its number and attempt, or
   * `account:number`.
   */
  caller: string;
  /**
   * Locks the parcel, checks that the call is due, and stores the facts that must survive a crash
   * during the call. Returns null if there is no call, or a function that runs after the commit
   * instead of the call.
   */
  ready(work: Work): Promise<Ready | (() => Promise<void>) | null>;
  /**
   * Calls the carrier, outside of any transaction; returns every answer in the order of the
   * calls, null for a call that was not made.
   */
  call(ready: Ready): Promise<Answers>;
  /**
   * Sends further queries that `settle` needs, in the same round trip as the query that locks the
   * parcel.
   */
  look?(work: Work, answers: Answers, ready: Ready): Looked;
  /**
   * Applies the answers to the parcel, which is locked again and may have changed since `ready`.
   */
  settle(
    work: Work,
    express: ExpressRow,
    answers: Answers,
    ready: Ready & { looked: Looked },
  ): Promise<Settled>;
}

/**
 * Calls a carrier about one parcel: one transaction before and one after the calls, so that no lock
 * is held during a call. The second transaction records every answer for its carrier account. It
 * also pauses the account if the gateway refuses its access. Returns the result of `settle`, or
 * null if no call was made.
 */
export const callCarrier = async <
  Ready extends ReadyCall,
  Answers extends readonly [CarrierAnswer | null, ...(CarrierAnswer | null)[]],
  Settled,
  Looked = undefined,
>(
  context: CarrierContext,
  scope: Scope,
  { caller, ready, call, settle, look }: CarrierCall<Ready, Answers, Settled, Looked>,
): Promise<Settled | null> => {
  const found = await context.db.tx(scope, ready);
  if (found === null) return null;
  if (typeof found === 'function') {
    await found();
    return null;
  }
  const answers = await call(found);
  return context.db.tx(scope, async (work) => {
    const { merchant_id } = found.opened;
    const locked = handled(lockExpress(work, found.express.id));
    const looked = look?.(work, answers, found) as Looked;
    const [express, down] = await Promise.all([locked, isAccountDown(work, merchant_id)]);
    for (const answer of answers)
      if (answer)
        await recordAnswer(context, work, merchant_id, {
          express_id: express.id,
          answer,
          down,
          caller,
        });
    return settle(work, express, answers, { ...found, looked });
  });
};

/** Seconds until a call is tried again while its account is paused. */
export const pausedSeconds = 60;

/**
 * The largest number of seconds between two calls about an unknown outcome. A carrier may have to
 * be searched twice, 30 seconds apart. With this limit, both searches end within a minute after the
 * carrier answers again.
 */
export const soughtSeconds = 25;

/**
 * Seconds until a call whose outcome is unknown is repeated. They depend on the number of calls
 * made; the last value repeats.
 */
export const repeatSeconds = (calls: number): number =>
  backOff[Math.min(Math.max(calls, 1), backOff.length) - 1]!;
const backOff = [1, 2, 4, 8, 15, soughtSeconds];

/** Seconds until a call that the gateway rejected is repeated. */
export const gatewaySeconds = ({ pause }: { pause: boolean }): number =>
  pause ? pausedSeconds : 4;

export const inSeconds = (context: Pick<CarrierContext, 'clock'>, seconds: number): Date =>
  new Date(context.clock.now().getTime() + seconds * 1_000);
