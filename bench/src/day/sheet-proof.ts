/**
 * Checks the ordered rows of a sheet in the product and at the carrier, without the web console.
 */
import { pause } from '#browser/program.ts';

const timeoutMs = 120_000;
const createPath = '/ecap/v1/orders/create';
/**
 * A delay in milliseconds. It is longer than the ten seconds for which the product waits for the
 * carrier's answer.
 */
const ms = 12_000;

export interface Place {
  url: string;
  carrierUrl: string;
  token: string;
}

export const ask = async <T>({ url, token }: Place, path: string): Promise<T> => {
  const answer = await fetch(`${url}/api/arco${path}`, {
    headers: { authorization: `Bearer ${token}` },
  });
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}`);
  return ((await answer.json()) as { data: T }).data;
};

const askCarrier = async <T>({ carrierUrl }: Place, path: string, body?: object): Promise<T> => {
  const answer = await fetch(
    `${carrierUrl}/_sim/${path}`,
    body && { method: 'POST', body: JSON.stringify(body) },
  );
  if (!answer.ok) throw new Error(`the simulator answered ${answer.status} to ${path}`);
  return (await answer.json()) as T;
};

interface Call {
  number: number;
  path: string;
  order_id: string | null;
  fault: string | null;
  /** The time of the carrier's response, and the duration of the call. */
  at: string;
  ms: number;
}

/** Returns the calls to the carrier that follow the call with the number `after`, oldest first. */
const callsAfter = async (place: Place, after: number): Promise<Call[]> => {
  const found: Call[] = [];
  for (let from = after; ;) {
    const { requests } = await askCarrier<{ requests: Call[] }>(
      place,
      `requests?after=${from}&limit=1000`,
    );
    if (requests.length === 0) return found;
    found.push(...requests);
    from = requests.at(-1)!.number;
  }
};

/**
 * The order numbers that the carrier refused immediately, and the order numbers for which its
 * answer came too late. Only calls since the start of the faults count.
 */
export type Troubles = () => Promise<{ refused: Set<string>; late: Set<string> }>;

/**
 * Makes the carrier refuse 2 % of the orders and answer 1 % too late, at least one of each. The
 * import must then search for the late orders at the carrier, so that none is ordered twice.
 */
export const troubleCarrier = async (place: Place): Promise<Troubles> => {
  const { requests: number } = await askCarrier<{ requests: number }>(place, 'health');
  await askCarrier(place, 'faults/mix', {
    seed: 'sheet',
    paths: [createPath],
    rates: { refuse: 0.02, slow_after: 0.01 },
    ms,
  });
  for (const kind of ['refuse', 'slow_after'])
    await askCarrier(place, 'faults', {
      kind,
      path: createPath,
      ...(kind === 'slow_after' && { ms }),
    });
  return async () => {
    // The carrier records a call only after it has answered.
    await pause(ms);
    const calls = (await callsAfter(place, number)).filter(({ path }) => path === createPath);
    const begun = calls
      .map((call) => ({ ...call, from: Date.parse(call.at) - call.ms }))
      .toSorted((a, b) => a.from - b.from);
    // Only the first call of each order counts as refused. After a refused later call, the order
    // may still exist, because the first call may have stored it.
    const first = new Map(begun.toReversed().map((call) => [call.order_id, call]));
    const numbers = (met: readonly Call[], fault: string): Set<string> =>
      new Set(met.filter((call) => call.fault === fault).flatMap(({ order_id }) => order_id ?? []));
    return { refused: numbers([...first.values()], 'refuse'), late: numbers(begun, 'slow_after') };
  };
};

interface Parcel {
  id: number;
  order_id: string;
  thr_order_id: string;
  state_code: number;
  post_amount: number;
}

const states = { ordering: 20, failed: 90, accepted: 100, cancelled: 500 } as const;
const inState = (parcels: readonly Parcel[], state: keyof typeof states): Parcel[] =>
  parcels.filter(({ state_code }) => state_code === states[state]);

/** Returns the parcels of an import after the carrier has answered every order. */
const parcelsOf = async (place: Place, import_id: number): Promise<Parcel[]> => {
  for (const until = Date.now() + timeoutMs; ; await pause(1_000)) {
    const parcels: Parcel[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const query: string = `page_size=100&import_id=${import_id}&sort=created_at${cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`}`;
      const page: { items: Parcel[]; next_cursor: string | null } = await ask(
        place,
        `/expresses?${query}`,
      );
      parcels.push(...page.items);
      cursor = page.next_cursor;
    }
    if (inState(parcels, 'ordering').length === 0) return parcels;
    if (Date.now() > until) throw new Error('orders of the sheet are still on their way');
  }
};

/**
 * Checks that the balance in fen has fallen by exactly the amount that is held for the accepted
 * parcels.
 */
const checkBalance = async (
  place: Place,
  before: number,
  parcels: readonly Parcel[],
): Promise<void> => {
  const held = inState(parcels, 'accepted').reduce((sum, { post_amount }) => sum + post_amount, 0);
  const after = (await ask<{ station: { available: number } }>(place, '/expresses/options')).station
    .available;
  if (before - after !== held)
    throw new Error(`the balance fell by ${before - after} fen and not by ${held}`);
};

/**
 * Checks that the carrier has each accepted parcel exactly once and has none of the refused orders.
 */
const checkCarrier = async (place: Place, parcels: readonly Parcel[]): Promise<void> => {
  const stored = new Map<string, number>();
  for (let after: number | null = 0; after !== null;) {
    const page: { orders: { order_id: string }[]; next_after: number | null } = await askCarrier(
      place,
      `orders?ordered=1&limit=1000&after=${after}`,
    );
    for (const { order_id } of page.orders) stored.set(order_id, (stored.get(order_id) ?? 0) + 1);
    after = page.next_after;
  }
  for (const { order_id, state_code } of parcels) {
    const times = stored.get(order_id) ?? 0;
    if (times !== (state_code === states.failed ? 0 : 1))
      throw new Error(`the carrier has ${order_id} (${state_code}) ${times} times`);
  }
};

export interface Ordered {
  id: number;
  count: number;
  /** The balance before the import, in fen. */
  before: number;
  /** The ids of the parcels, in the order in which their labels were printed. */
  printed: readonly number[];
  troubles: Troubles;
}

/**
 * Checks the import at the end. Each row is one parcel, and only the orders that the carrier
 * refused have failed. An order with a late answer was accepted once. There is one label for each
 * accepted parcel, in the order of the file. The balance has fallen by exactly the amount that is
 * held for the parcels.
 */
export const provedBy = async (
  place: Place,
  { id, count, before, printed, troubles }: Ordered,
): Promise<{ ordered: number; printed: number; refused: number; late: number }> => {
  const parcels = await parcelsOf(place, id);
  const orders = new Set(parcels.map(({ thr_order_id }) => thr_order_id));
  if (parcels.length !== count || orders.size !== count)
    throw new Error(`${parcels.length} parcels of ${orders.size} orders, not ${count}`);
  const accepted = inState(parcels, 'accepted');
  const failed = inState(parcels, 'failed');
  const { refused, late } = await troubles();
  if (refused.size === 0 || late.size === 0)
    throw new Error(
      `the carrier refused ${refused.size} orders and answered ${late.size} too late: both have to occur`,
    );
  if (accepted.length + failed.length !== count)
    throw new Error(
      `${accepted.length} of ${count} parcels are accepted, and ${failed.length} failed`,
    );
  if (failed.length !== refused.size || failed.some(({ order_id }) => !refused.has(order_id)))
    throw new Error(`${failed.length} parcels failed, and the carrier refused ${refused.size}`);
  await checkCarrier(place, parcels);
  const labels = new Set(printed);
  if (labels.size !== printed.length) throw new Error('a label was printed twice');
  const missing = accepted.filter((parcel) => !labels.has(parcel.id));
  if (missing.length > 0)
    throw new Error(
      `${missing.length} accepted parcels were not printed, ${missing[0]!.thr_order_id} the first`,
    );
  const found = printed.map((label) => parcels.find((parcel) => parcel.id === label));
  const wrong = found.filter((parcel) => parcel?.state_code !== states.accepted);
  if (wrong.length > 0)
    throw new Error(
      `${wrong.length} of ${printed.length} labels are of no accepted parcel: ${wrong.map((one) => one?.state_code).join(', ')}`,
    );
  const rows = found.map((parcel) => Number(/-(\d+)$/.exec(parcel!.thr_order_id)?.[1]));
  const after = rows.findIndex((no, at) => at > 0 && no <= rows[at - 1]!);
  if (after > 0)
    throw new Error(
      `the label of row ${rows[after]} comes after that of row ${rows[after - 1]}, not in the order of the file`,
    );
  await checkBalance(place, before, parcels);
  return {
    ordered: accepted.length,
    printed: printed.length,
    refused: failed.length,
    late: late.size,
  };
};

export interface Afterwards {
  imports: readonly number[];
  count: number;
  /** The number of cancelled parcels. */
  taken: number;
  before: number;
}

/**
 * Checks at the end that the carrier has no order twice. Every row is exactly one accepted parcel,
 * unless the row was cancelled.
 */
export const provedAfter = async (
  place: Place,
  { imports, count, taken, before }: Afterwards,
): Promise<void> => {
  const parcels: Parcel[] = [];
  for (const id of imports) parcels.push(...(await parcelsOf(place, id)));
  const live = inState(parcels, 'accepted');
  const orders = new Set(live.map(({ thr_order_id }) => thr_order_id));
  if (live.length !== count - taken || orders.size !== live.length)
    throw new Error(
      `${live.length} parcels of ${orders.size} orders are with the carrier, not ${count - taken}`,
    );
  const back = inState(parcels, 'cancelled');
  if (back.length !== taken || back.some(({ thr_order_id }) => orders.has(thr_order_id)))
    throw new Error(`${back.length} parcels are cancelled, not ${taken}`);
  await checkCarrier(place, parcels);
  await checkBalance(place, before, parcels);
};
