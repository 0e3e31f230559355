import { timingSafeEqual } from 'node:crypto';
import { readWallClock } from '#wall-clock.ts';
import { tokenFields } from './accounts.ts';
import { refreshSignature } from './signing.ts';
import { saveApplication } from './world.ts';
import type { Answer } from '#carrier.ts';
import type { Account, Application } from './accounts.ts';
import type { World } from './world.ts';

export const oauthPaths: readonly string[] = ['/oauth/authorize', '/oauth/token', '/oauth/refresh'];
const outOfBand = 'urn:ietf:wg:oauth:2.0:oob';
const timestampWindow = 6 * 60_000;

const failed = (code: number, message: string): Answer => ({
  status: 200,
  json: { code, message, enMessage: message, data: null },
});

const isSame = (a: string, b: string): boolean => {
  const left = Buffer.from(a);
  const right = Buffer.from(b);
  return left.length === right.length && timingSafeEqual(left, right);
};

/**
 * Answers the page on which a merchant agrees to an application. The simulated merchant always
 * agrees; `seller` may give the merchant's id.
 */
const authorize = (world: World, query: URLSearchParams): Answer => {
  const application = world.accounts.application(query.get('client_id') ?? '');
  const redirect = query.get('redirect_uri') ?? '';
  if (application === undefined) return failed(20, 'unknown client_id');
  if (query.get('response_type') !== 'code') return failed(400, 'response_type must be code');
  const seller = query.get('seller') ?? application.accounts[0]?.seller_id ?? '';
  if (world.accounts.owner(application.app_key, seller) === undefined)
    return failed(400, 'unknown seller');
  const code = world.accounts.issueCode(application.app_key, seller);
  if (redirect === outOfBand)
    return { status: 200, headers: { 'content-type': 'text/plain;charset=utf-8' }, text: code };
  if (!URL.canParse(redirect) || !/^https?:$/.test(new URL(redirect).protocol))
    return failed(400, 'redirect_uri must be an http address');
  const target = new URL(redirect);
  target.searchParams.set('code', code);
  const state = query.get('state');
  if (state !== null) target.searchParams.set('state', state);
  return { status: 302, headers: { location: target.href }, text: '' };
};

const token = (world: World, query: URLSearchParams): Answer => {
  const application = world.accounts.application(query.get('client_id') ?? '');
  if (
    application === undefined ||
    !isSame(application.app_secret, query.get('client_secret') ?? '')
  ) {
    return failed(20, 'client_id or client_secret is wrong');
  }
  const account = world.accounts.consumeCodeOrFail(application.app_key, query.get('code') ?? '');
  if (account === undefined) return failed(400, 'code is unknown, used or expired');
  world.accounts.renew(account, account.access_expires_at <= world.realNow());
  saveApplication(world, application.app_key);
  const body = { ...tokenFields(application.app_key, account), code: 0 };
  const text = JSON.stringify(body);
  return {
    status: 200,
    text: world.settings().oauth_body === 'text' ? JSON.stringify(text) : text,
  };
};

const byRefreshToken = (application: Application, refreshToken: string): Account | undefined =>
  application.accounts.find((account) => isSame(account.refresh_token, refreshToken));

/**
 * Returns the same token with the same expiry by default, as in the only published recording of the
 * real carrier. With `refresh_mode` "renew" it returns a new token.
 */
const refresh = (world: World, query: URLSearchParams): Answer => {
  const application = world.accounts.application(query.get('app_key') ?? '');
  if (application === undefined) return failed(20, 'unknown app_key');
  const timestamp = query.get('timestamp') ?? '';
  const at = readWallClock(timestamp);
  if (at === null || Math.abs(at - world.realNow()) > timestampWindow)
    return failed(8, 'invalid timestamp');
  const refreshToken = query.get('refresh_token') ?? '';
  if (
    !isSame(
      refreshSignature(application.app_secret, application.app_key, refreshToken, timestamp),
      query.get('sign') ?? '',
    )
  ) {
    return failed(12, 'invalid signature');
  }
  const account = byRefreshToken(application, refreshToken);
  if (account === undefined || account.refresh_expires_at <= world.realNow())
    return failed(19, 'refresh_token is invalid or expired');
  if (world.settings().refresh_mode === 'renew') {
    world.accounts.renew(account, true);
    saveApplication(world, application.app_key);
  }
  return {
    status: 200,
    json: {
      code: 1000,
      message: 'success',
      enMessage: null,
      data: tokenFields(application.app_key, account),
    },
  };
};

/** Answers the three endpoints of the authorisation server. */
export const oauth = (world: World, path: string, query: URLSearchParams): Answer => {
  if (path === '/oauth/authorize') return authorize(world, query);
  if (path === '/oauth/token') return token(world, query);
  return refresh(world, query);
};
