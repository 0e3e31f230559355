import { setTimeout as elapsed } from 'node:timers/promises';
import type { OutputOf, ParsedOf } from '@waystation/contract/base/endpoint.ts';
import type * as calls from '@waystation/contract/parcels/express-calls.ts';
import { mostCoverageQuestions } from '@waystation/contract/base/limits.ts';
import { present } from '@waystation/contract/base/present.ts';
import { pickupRules } from '@waystation/contract/network/provider.ts';
import type { Provider } from '@waystation/contract/network/provider.ts';
import type { App } from '#app.ts';
import {
  coverageOperation,
  isAccountDown,
  openAccountInTx,
  recordAnswer,
} from '#domain/carrier-accounts/carrier-accounts.ts';
import type { OpenAccount } from '#domain/carrier-accounts/carrier-accounts.ts';
import type { Carrier, CarrierParcel } from '#domain/carriers/carriers.ts';
import { bookableWindows, keptWindowsOf } from '#domain/express/express-reads.ts';
import { merchantsFor, stationFor } from '#domain/offers/offers.ts';
import type { Actor } from '#platform/auth/actor.ts';
import { callerOf } from '#platform/db/db.ts';
import type { Work } from '#platform/db/db.ts';
import { systemScope } from '#platform/db/scope.ts';
import { failFields } from '#platform/fail.ts';

type Input = ParsedOf<typeof calls.coverExpress>;
type Coverage = OutputOf<typeof calls.coverExpress>;
/**
 * The figures of how a carrier kept the station's pickup windows; null if the carrier offers no
 * windows.
 */
type KeptWindows = Awaited<ReturnType<typeof keptWindowsOf>> | null;

/** The reason why a carrier gives no answer about the places. */
type Silence = 'carrier_silent' | 'carrier_calls_paused';

/**
 * The coverage answer if nothing is known about the places. It still shows whether the carrier
 * offers pickup windows.
 */
const unknownOf = (
  { offers_windows, provider }: Pick<Carrier, 'offers_windows' | 'provider'>,
  silence?: Silence,
): Coverage => ({
  result: 'unknown',
  text: '',
  reason: silence === undefined ? null : { code: silence, params: { provider } },
  start_station_name: '',
  end_station_name: '',
  products: [],
  pickup_windows: offers_windows ? [] : null,
});

/**
 * The coverage requests of a process. Answers are cached by account and places, because a clerk
 * edits one address several times and many parcels go to one place.
 */
interface Asked {
  known: Map<string, { until: number; answer: Promise<Coverage> }>;
  /**
   * The number of open requests to each carrier, so that a slow carrier does not delay the others.
   */
  open: Map<Provider, number>;
  /**
   * The number of calls per account and carrier in the present period, so that one user cannot use
   * up the carrier's limit.
   */
  by: Map<string, { until: number; count: number }>;
  /**
   * The cached figures of how well pickup windows were kept, per station and carrier. Every
   * response shows them, even a cached one.
   */
  history: Map<string, { until: number; keptOf: NonNullable<KeptWindows> }>;
}
const askedBy = new WeakMap<App, Asked>();

const askedOf = (app: App): Asked => {
  const asked = askedBy.get(app) ?? {
    known: new Map(),
    open: new Map(),
    by: new Map(),
    history: new Map(),
  };
  askedBy.set(app, asked);
  return asked;
};

const mostKnown = 500;
const knownFor = 10 * 60_000;
/**
 * Pickup windows pass, and other senders book them, so an answer with pickup windows is cached for
 * a shorter time.
 */
const windowsKnownFor = 2 * 60_000;
/**
 * The limit of open requests to a carrier. Above it the answer is `unknown`, so that orders never
 * wait for coverage requests.
 */
const mostOpen = 4;
/**
 * The number of milliseconds for which a user waits for one carrier. A later answer is still
 * recorded for the carrier's account.
 */
const answerWait = 5_000;

/**
 * Counts the carrier calls of a coverage request; returns false if the user has reached the limit
 * for this carrier.
 */
const mayAsk = ({ by }: Asked, asks: string, calls: number, now: number): boolean => {
  const asked = by.get(asks);
  if (asked !== undefined && asked.until > now)
    return (asked.count += calls) <= mostCoverageQuestions;
  for (const [id, { until }] of by) if (until <= now) by.delete(id);
  by.set(asks, { until: now + knownFor, count: calls });
  return true;
};

/** Returns how a station's pickup windows were kept, read at most once in two minutes. */
const historyOf = async (
  app: App,
  work: Work,
  of: Parameters<typeof keptWindowsOf>[1],
): Promise<NonNullable<KeptWindows>> => {
  const { history } = askedOf(app);
  const key = `${of.station_id} ${of.provider}`;
  const now = app.clock.now();
  const cached = history.get(key);
  if (cached !== undefined && cached.until > now.getTime()) return cached.keptOf;
  const keptOf = await keptWindowsOf(work, of, now);
  if (history.size >= mostKnown) history.delete(present(history.keys().next().value));
  history.set(key, { until: now.getTime() + windowsKnownFor, keptOf });
  return keptOf;
};

interface ReadyAccount extends OpenAccount {
  keptOf: KeptWindows;
}

/**
 * Returns the account with which the parcel would be ordered, and how its carrier kept the
 * station's pickup windows. Returns the reason if the carrier cannot be called now, and undefined
 * if the order would refuse the account.
 */
const readyAccount = (
  app: App,
  actor: Actor,
  { station_id, customer_code, provider }: Input,
): Promise<ReadyAccount | Silence | undefined> => {
  const caller = callerOf(actor);
  if (customer_code !== undefined && actor.role !== 'super' && actor.role !== 'admin')
    failFields({ customer_code: { code: 'field_not_yours' } });
  return app.db.tx(caller, async (work) => {
    const station = await stationFor(work, actor, station_id);
    return work.asSystem('account of a coverage check', async (system) => {
      const merchant = (await merchantsFor(system, customer_code || station.customer_code)).get(
        provider,
      );
      // Another account must not be used instead, because an order refuses an unavailable account.
      if (merchant === undefined || (customer_code && merchant.customer_code !== customer_code))
        return undefined;
      if (await isAccountDown(system, merchant.id)) return 'carrier_silent';
      const opened = await openAccountInTx(app, system, merchant.id);
      if (opened.paused) return 'carrier_calls_paused';
      const keptOf = opened.carrier.offers_windows
        ? await historyOf(app, system, { station_id: station.id, provider })
        : null;
      return { ...opened, keptOf };
    });
  });
};

/** A light parcel without goods and product, because the carrier is only asked about its places. */
const sample = {
  package_count: 1,
  goods: '',
  goods_type: 1,
  weight: 1_000,
  length: 0,
  width: 0,
  height: 0,
  guarantee_value_amount: 0,
  promise_id: '',
};

const ask = async (
  app: App,
  { merchant_id, carrier, account }: OpenAccount,
  places: Omit<CarrierParcel, keyof typeof sample>,
): Promise<Coverage> => {
  const answer = await carrier.precheck(account, { ...places, ...sample });
  const recorded = { ...answer, call: { ...answer.call, operation: coverageOperation } };
  await app.db.tx(systemScope('coverage'), (work) =>
    recordAnswer(app, work, merchant_id, { express_id: null, answer: recorded }),
  );
  if (answer.outcome === 'refused')
    return {
      ...unknownOf(carrier),
      result: carrier.refusedCoverage(answer.text),
      text: answer.text,
    };
  if (answer.outcome !== 'ok') return unknownOf(carrier, 'carrier_silent');
  const { served, start_station_name, end_station_name, products, pickup_windows } = answer.value;
  return {
    result: served ? 'reachable' : 'out_of_area',
    text: '',
    reason: null,
    start_station_name,
    end_station_name,
    products: products.map(({ promise_id, delivery_promise_at }) => ({
      promise_id,
      delivery_promise_at: delivery_promise_at?.toISOString() ?? null,
    })),
    pickup_windows: carrier.offers_windows
      ? bookableWindows(pickup_windows, app.clock.now()).map(({ starts_at, ends_at }) => ({
          starts_at: starts_at.toISOString(),
          ends_at: ends_at.toISOString(),
          history: null,
        }))
      : null,
  };
};

/**
 * The carrier's answer, or, after the time limit, that the carrier is silent. The request itself
 * continues.
 */
const withinWait = (answer: Promise<Coverage>, carrier: Carrier): Promise<Coverage> =>
  Promise.race([answer, elapsed(answerWait, unknownOf(carrier, 'carrier_silent'), { ref: false })]);

/** Adds to an answer, which stations share, how often this station's pickup windows were kept. */
const withHistory = (answer: Coverage, keptOf: KeptWindows): Coverage => ({
  ...answer,
  pickup_windows:
    answer.pickup_windows?.map((window) => ({
      ...window,
      history: keptOf?.(new Date(window.starts_at), new Date(window.ends_at)) ?? null,
    })) ?? null,
});

/**
 * Returns whether the carrier serves both places, by which of its stations, and when each product
 * would arrive. It is requested before an order, which never waits for it. Each carrier is
 * requested separately, so that a silent carrier is named and delays no other. The answer is
 * `unknown` if the carrier does not answer in time, or if its account is paused or down. It is also
 * `unknown` if too many requests to the carrier are open, or if the user has made too many. An
 * answer is cached for ten minutes, or two minutes if it has pickup windows, unless a fresh one is
 * requested.
 */
export const cover = async (app: App, actor: Actor, input: Input): Promise<Coverage> => {
  const {
    station_id: _,
    customer_code: __,
    fresh,
    sender_phone,
    receive_phone,
    promise_id,
    ...named
  } = input;
  const { provider } = input;
  // Phones are sent only to carriers that ask for them. Coverage answers of the other carriers are
  // cached without phones, so that all parcels share them.
  const phones =
    pickupRules(provider).asks_phones && sender_phone && receive_phone
      ? { sender_phone, receive_phone }
      : {};
  const product = pickupRules(provider).windows_by_product && { windows_of: promise_id };
  const places = { ...named, ...phones, ...product };
  const opened = await readyAccount(app, actor, input);
  if (opened === undefined || typeof opened === 'string')
    return unknownOf(app.carrierOf(provider), opened);
  const { carrier, keptOf } = opened;
  const key = JSON.stringify([opened.merchant_id, places]);
  const now = app.clock.now().getTime();
  const asked = askedOf(app);
  const { known, open } = asked;
  const kept = known.get(key);
  if (fresh !== 1 && kept !== undefined && kept.until > now)
    return withHistory(await withinWait(kept.answer, carrier), keptOf);
  const openNow = open.get(provider) ?? 0;
  if (
    openNow >= mostOpen ||
    !mayAsk(asked, `${actor.account_id} ${provider}`, carrier.coverage_calls ?? 1, now)
  )
    return unknownOf(carrier);
  open.set(provider, openNow + 1);
  const answer = ask(app, opened, places).finally(() =>
    open.set(provider, (open.get(provider) ?? 1) - 1),
  );
  if (known.size >= mostKnown) known.delete(present(known.keys().next().value));
  const cached = { until: now + knownFor, answer };
  known.set(key, cached);
  // An answer that is unknown, or that an administrator may correct, is requested again.
  const dropAnswer = (): void => void (known.get(key)?.answer === answer && known.delete(key));
  answer.then(({ result, pickup_windows }) => {
    if (result === 'unknown' || result === 'refused') dropAnswer();
    else if (pickup_windows?.length) cached.until = now + windowsKnownFor;
  }, dropAnswer);
  return withHistory(await withinWait(answer, carrier), keptOf);
};
