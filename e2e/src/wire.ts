import { inject } from 'vitest';
import { limitMs } from './harness/limits.ts';

// Calls the product and the simulated carrier without a browser, to prepare browser tests and to
// check results that no screen shows.

export type Role = 'super' | 'admin' | 'partner' | 'station' | 'user';

/**
 * The username of each role in the example network. All have the same password, which the login
 * page shows.
 */
export const accounts: Record<Role, string> = {
  super: 'super',
  admin: 'admin',
  partner: 'partner',
  station: 'station',
  user: 'clerk',
};
export const password = 'waystation-demo';

export interface Answer<T = Record<string, unknown>> {
  status: number;
  data: T;
  message: string;
}

export interface Wire {
  token: string;
  get<T = Record<string, unknown>>(path: string): Promise<T>;
  post<T = Record<string, unknown>>(path: string, body: unknown): Promise<T>;
  /** Returns the response even if its status is an error. */
  ask<T = Record<string, unknown>>(
    method: string,
    path: string,
    body?: unknown,
  ): Promise<Answer<T>>;
}

const send = async <T>(
  method: string,
  path: string,
  token: string | null,
  body: unknown,
): Promise<Answer<T>> => {
  const response = await fetch(inject('product').url + path, {
    method,
    headers: {
      ...(body !== undefined && {
        'content-type': 'application/json',
        'idempotency-key': crypto.randomUUID(),
      }),
      ...(token !== null && { authorization: `Bearer ${token}` }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return (await response.json()) as Answer<T>;
};

const succeeded = <T>(what: string, { status, data, message }: Answer<T>): T => {
  if (status !== 200)
    throw new Error(`${what} answered ${status}: ${message} ${JSON.stringify(data)}`);
  return data;
};

/** Logs in with the account of the role, and returns the token of the new session. */
export const login = (role: Role): Promise<string> => loginAs(accounts[role], password);

const loginAs = async (username: string, secret: string): Promise<string> => {
  const answer = await send<{ access_token: string }>('POST', '/api/arco/login/password', null, {
    username,
    password: secret,
  });
  return succeeded('login', answer).access_token;
};

/** True if the session of the token is still valid. */
export const isLive = async (token: string): Promise<boolean> =>
  (await send('GET', '/api/arco/personal', token, undefined)).status === 200;

const wireWith = (token: string): Wire => ({
  token,
  get: async <T>(path: string) => succeeded(path, await send<T>('GET', path, token, undefined)),
  post: async <T>(path: string, body: unknown) =>
    succeeded(path, await send<T>('POST', path, token, body)),
  ask: (method, path, body) => send(method, path, token, body),
});

export const wireAs = async (username: string, secret: string): Promise<Wire> =>
  wireWith(await loginAs(username, secret));

/** The login token of each role, with which the tests of this worker prepare data. */
const own = new Map<Role, string>();

/**
 * A connection to the product with the rights of a role. All journeys of a worker share one session
 * per role, because each login must hash a password.
 */
export const wireOf = async (role: Role): Promise<Wire> => {
  const kept = own.get(role);
  if (kept !== undefined && (await isLive(kept))) return wireWith(kept);
  const token = await login(role);
  own.set(role, token);
  return wireWith(token);
};

/** Calls the control API of the simulator (carrier-sim/README.md). */
export const carrier = {
  async ask<T = Record<string, unknown>>(
    method: 'GET' | 'POST' | 'DELETE',
    path: string,
    body?: unknown,
  ): Promise<T> {
    const response = await fetch(`${inject('product').carrierUrl}/_sim/${path}`, {
      method,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const json = (await response.json()) as T;
    if (!response.ok)
      throw new Error(
        `the carrier answered ${response.status} to ${path}: ${JSON.stringify(json)}`,
      );
    return json;
  },
  /**
   * Moves the carrier simulator's clock forward to the present time, so that its messages are not
   * dated before the order. A clock that is already ahead is not changed.
   */
  async reachNow(): Promise<void> {
    const { now } = await carrier.ask<{ now: string }>('GET', 'clock');
    if (Date.parse(now) < Date.now())
      await carrier.ask('POST', 'clock', { now: new Date().toISOString() });
  },
  /** Advances the carrier simulator's clock. Waits until the product has received every message. */
  async advance(hours: number): Promise<void> {
    await carrier.ask('POST', 'clock/advance', { ms: hours * 3_600_000 });
    await carrier.ask('POST', 'pushes/settle', { within_ms: limitMs(20_000) });
  },
  /** Makes one parcel pass all steps up to the step `to`. */
  async jump(waybill: string, to: string): Promise<void> {
    await carrier.ask('POST', `orders/${waybill}/jump`, { to });
    await carrier.ask('POST', 'pushes/settle', { within_ms: limitMs(20_000) });
  },
};
