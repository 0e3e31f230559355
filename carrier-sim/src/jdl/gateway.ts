import { readWallClock } from '#wall-clock.ts';
import { GatewayRefusal } from './answers.ts';
import { algorithms, isSignatureRight } from './signing.ts';
import type { CarrierRequest } from '#carrier.ts';
import type { Account, Accounts, Application } from './accounts.ts';

/**
 * The largest difference, in milliseconds, between a request's timestamp and the real time. The
 * simulated clock does not matter.
 */
const timestampWindow = 6 * 60_000;

export type Checked = { application: Application; account: Account | null };
type Door = { accounts: Accounts; realNow(): number };

const refuse = (code: number): never => {
  throw new GatewayRefusal(code);
};

const present = (query: URLSearchParams, name: string, missing: number): string => {
  const value = query.get(name);
  return value === null || value === '' ? refuse(missing) : value;
};

const accountOf = (door: Door, application: Application, token: string): Account | null => {
  if (token === '') return application.partner ? null : refuse(18);
  const account = door.accounts.byToken(application, token);
  if (account === undefined || account.access_expires_at <= door.realNow()) return refuse(19);
  return account;
};

const zoneOf = (request: CarrierRequest): number => {
  const timeZone = request.headers['lop-tz'];
  const hours = timeZone === undefined ? 8 : Number(timeZone);
  return Number.isFinite(hours) && Math.abs(hours) <= 14 ? hours : refuse(8);
};

const timestampOf = (door: Door, request: CarrierRequest): string => {
  const timestamp = present(request.query, 'timestamp', 7);
  const at = readWallClock(timestamp, zoneOf(request));
  if (at === null || Math.abs(at - door.realNow()) > timestampWindow) return refuse(8);
  return timestamp;
};

/**
 * Accepts a request or throws the gateway's refusal. It checks, in this order: application, token,
 * timestamp, version, signature, path. `domain` is the LOP-DN of the path; undefined for an unknown
 * path.
 */
export const checkGate = (
  door: Door,
  request: CarrierRequest,
  domain: string | undefined,
): Checked => {
  const { query, path } = request;
  const application = door.accounts.application(present(query, 'app_key', 20)) ?? refuse(20);
  const accessToken = query.get('access_token') ?? '';
  const account = accountOf(door, application, accessToken);
  const timestamp = timestampOf(door, request);
  const version = present(query, 'v', 4);
  if (version !== '2.0') refuse(5);
  const sign = present(query, 'sign', 11);
  const algorithm = query.get('algorithm') ?? 'md5-salt';
  const signed = {
    accessToken,
    appKey: application.app_key,
    path,
    body: request.body,
    timestamp,
    version,
  };
  if (
    !algorithms.includes(algorithm) ||
    !isSignatureRight(algorithm, application.app_secret, signed, sign)
  )
    refuse(12);
  if (path === '/') refuse(14);
  const named = query.get('LOP-DN') ?? request.headers['lop-dn'];
  if (request.method !== 'POST' || domain === undefined || named !== domain) refuse(15);
  return { application, account };
};
