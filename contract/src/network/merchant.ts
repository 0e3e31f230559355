import { endpoint } from '#base/endpoint.ts';
import { office } from '#base/roles.ts';
import { usageOf } from '#base/usage.ts';
import type { schemas } from './merchant.schema.ts';
export type { MerchantProof, Merchant, MerchantCall } from './merchant.schema.ts';

const base = '/api/arco/merchants';

export const secretFields = ['app_key', 'app_secret', 'access_token'] as const;
export type SecretField = (typeof secretFields)[number];

/** The number of days before a token expires from which super and admin get a warning. */
export const tokenWarningDays = 7;

export const listMerchants = endpoint<typeof schemas.listMerchants>({
  method: 'GET',
  path: base,
  roles: office,
  summary: 'Accounts with carriers, with how their calls fare.',
});

export const getMerchant = endpoint<typeof schemas.getMerchant>({
  method: 'GET',
  path: `${base}/{id}`,
  roles: office,
  summary: 'One account with a carrier.',
});

export const createMerchant = endpoint<typeof schemas.createMerchant>({
  method: 'POST',
  path: base,
  roles: office,
  summary: 'A new account with a carrier; the first of a carrier is its default.',
});

/**
 * The request contains only the changed fields: an absent secret is not changed, and an empty
 * access token removes the stored token.
 */
export const editMerchant = endpoint<typeof schemas.editMerchant>({
  method: 'PATCH',
  path: `${base}/{id}`,
  roles: office,
  summary: 'Change an account with a carrier; only secrets that are sent are replaced.',
});

export const setMerchantStatus = endpoint<typeof schemas.setMerchantStatus>({
  method: 'POST',
  path: `${base}/{id}/status`,
  roles: office,
  summary:
    'Enable or disable an account; a default, and one that stations name, is disabled only with a successor.',
});

export const makeDefaultMerchant = endpoint<typeof schemas.makeDefaultMerchant>({
  method: 'POST',
  path: `${base}/{id}/default`,
  roles: office,
  summary: 'Make an account the default of its carrier, in place of the one that was.',
});

export const testMerchant = endpoint<typeof schemas.testMerchant>({
  method: 'POST',
  path: `${base}/{id}/test`,
  roles: office,
  summary:
    'A real call to the carrier that changes nothing there: whether address, keys, token and code are right.',
});

/** This call only reads, but it is a POST call, because every view of the address is audited. */
export const merchantPushAddress = endpoint<typeof schemas.merchantPushAddress>({
  method: 'POST',
  path: `${base}/{id}/push-address`,
  roles: office,
  summary:
    'The path of this server for the carrier’s pushes; it holds a secret, and every look is audited.',
});

export const replaceMerchantPushAddress = endpoint<typeof schemas.replaceMerchantPushAddress>({
  method: 'POST',
  path: `${base}/{id}/push-address/replace`,
  roles: office,
  summary:
    'Another address with another secret; the one before stays valid for seven days, or until it is ended. Audited.',
});

export const endPreviousPushAddress = endpoint<typeof schemas.endPreviousPushAddress>({
  method: 'POST',
  path: `${base}/{id}/push-address/end-previous`,
  roles: office,
  summary: 'End the address that was replaced, at once. Audited.',
});

export const resumeMerchant = endpoint<typeof schemas.resumeMerchant>({
  method: 'POST',
  path: `${base}/{id}/resume`,
  roles: office,
  summary: 'Let the calls of a paused account go on.',
});

export const merchantUsage = usageOf(base, office);

export const merchantCalls = endpoint<typeof schemas.merchantCalls>({
  method: 'GET',
  path: `${base}/{id}/calls`,
  roles: office,
  summary: 'The calls of the last 30 days, newest first.',
});
