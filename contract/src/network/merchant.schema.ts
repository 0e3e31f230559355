import * as z from 'zod/mini';
import {
  fen,
  flag,
  id,
  listInput,
  listOf,
  reason,
  searchText,
  stored,
  text,
  time,
  version,
} from '#base/fields.schema.ts';
import { provider } from './provider.schema.ts';
import { phone } from '#parcels/phone.schema.ts';
import { usageSchemas } from '#base/usage.schema.ts';
import { withSchemas } from '#base/endpoint.ts';
import {
  addressLength,
  merchantCodeLength,
  merchantRegionLength,
  merchantSecretLength,
  momentLength,
  nameLength,
  operationLength,
  shortNameLength,
  urlLength,
} from '#base/limits.ts';
import * as endpoints from './merchant.ts';

const tail = z.nullable(z.string());

/**
 * The result of the last test of an account, which was a real call to the carrier; `reason` is null
 * if the test succeeded.
 */
export const merchantProof = z.object({
  at: time,
  ok: flag,
  ms: z.int(),
  reason: z.nullable(reason),
});
export type MerchantProof = z.infer<typeof merchantProof>;

/**
 * An account with a carrier (requirements §3). No response contains a secret: `secret_tails` has
 * the last four characters of each secret that is set.
 */
export const merchant = z.object({
  id: z.int(),
  name: z.string(),
  provider,
  customer_code: z.string(),
  /** 1: the customer code cannot be changed, because parcels have used it. */
  customer_code_fixed: flag,
  secret_tails: z.object({ app_key: tail, app_secret: tail, access_token: tail }),
  token_expires_at: z.nullable(time),
  base_url: z.string(),
  simulated: flag,
  is_default: flag,
  /** The least insured value of the account's carrier, in fen. */
  guarantee: z.int(),
  status: flag,
  province: z.string(),
  city: z.string(),
  county: z.string(),
  address: z.string(),
  sender_name: z.string(),
  sender_phone: z.string(),
  warehouse_code: z.string(),
  prefetch_numbers: flag,
  /**
   * The time when calls were paused; the pause lasts until an administrator has checked the
   * account.
   */
  paused_at: z.nullable(time),
  /** The time when an outage began after too many failed calls; null if the carrier answers. */
  down_since: z.nullable(time),
  paused_reason: z.string(),
  proof: z.nullable(merchantProof),
  last_call_at: z.nullable(time),
  /**
   * The number of calls in the last 24 hours; `answered_24h` is the number of those that the
   * carrier answered.
   */
  calls_24h: z.int(),
  answered_24h: z.int(),
  parcels_30d: z.int(),
  ...stored,
});
export type Merchant = z.infer<typeof merchant>;

const code = z.pipe(text(1, merchantCodeLength), z.string().check(z.regex(/^[\w.-]+$/, 'invalid')));
const secret = z.pipe(text(0, merchantSecretLength), z.string().check(z.regex(/^\S*$/, 'invalid')));
/** ISO 8601 with offset. */
const moment = z.string('invalid').check(
  z.maxLength(momentLength, 'too_long'),
  z.regex(/^\d{4}-\d{2}-\d{2}T[\d:.]+(?:Z|[+-]\d{2}:\d{2})$/, 'invalid'),
  z.refine((value) => !Number.isNaN(Date.parse(value)), { error: 'invalid' }),
);

const fields = {
  name: text(1, nameLength),
  customer_code: code,
  base_url: text(1, urlLength),
  guarantee: fen,
  province: text(0, merchantRegionLength),
  city: text(0, merchantRegionLength),
  county: text(0, merchantRegionLength),
  address: text(0, addressLength),
  sender_name: text(1, shortNameLength),
  sender_phone: phone,
  warehouse_code: text(0, merchantCodeLength),
  token_expires_at: z.nullable(moment),
};
/** The optional fields of a new account and of an edit. */
const secrets = {
  app_key: z.optional(secret),
  app_secret: z.optional(secret),
  access_token: z.optional(secret),
};
const details = {
  guarantee: z.optional(fields.guarantee),
  province: z.optional(fields.province),
  city: z.optional(fields.city),
  county: z.optional(fields.county),
  address: z.optional(fields.address),
  warehouse_code: z.optional(fields.warehouse_code),
  token_expires_at: z.optional(fields.token_expires_at),
  simulated: z.optional(flag),
  prefetch_numbers: z.optional(flag),
};

/** One call to the carrier. Secrets are removed, and phone numbers are masked. */
export const merchantCall = z.object({
  id: z.int(),
  at: time,
  operation: z.string(),
  /** The kind of result: `ok`, `accepted`, `refused`, `gateway`, `unknown` … */
  outcome: z.string(),
  /** The error code from the carrier. */
  code: z.string(),
  /** The trace id, which the carrier's support needs to find a call. */
  trace_id: z.string(),
  ms: z.int(),
  express_id: z.nullable(z.int()),
  order_id: z.nullable(z.string()),
  request: z.unknown(),
  answer: z.unknown(),
});
export type MerchantCall = z.infer<typeof merchantCall>;

/**
 * The path that the carrier pushes to. `previous_until`: the time until which the previous path is
 * still valid; null if there is none.
 */
const pushAddress = z.object({ path: z.string(), previous_until: z.nullable(time) });

export const schemas = {
  listMerchants: {
    input: z.object({
      ...listInput,
      q: z.optional(searchText),
      provider: z.optional(provider),
      is_default: z.optional(flag),
      status: z.optional(flag),
    }),
    output: listOf(merchant),
  },
  getMerchant: {
    input: z.object({ id }),
    output: merchant,
  },
  createMerchant: {
    input: z.object({
      name: fields.name,
      provider,
      customer_code: fields.customer_code,
      ...secrets,
      base_url: fields.base_url,
      sender_name: fields.sender_name,
      sender_phone: fields.sender_phone,
      ...details,
      status: z.optional(flag),
    }),
    output: merchant,
  },
  editMerchant: {
    input: z.object({
      id,
      version,
      name: z.optional(fields.name),
      customer_code: z.optional(fields.customer_code),
      ...secrets,
      base_url: z.optional(fields.base_url),
      sender_name: z.optional(fields.sender_name),
      sender_phone: z.optional(fields.sender_phone),
      ...details,
    }),
    output: merchant,
  },
  setMerchantStatus: {
    /**
     * `successor_id`: the account that replaces the disabled account at stations, and as the
     * default account if it was the default.
     */
    input: z.object({ id, status: flag, successor_id: z.optional(id) }),
    output: merchant,
  },
  makeDefaultMerchant: {
    input: z.object({ id }),
    output: merchant,
  },
  testMerchant: {
    input: z.object({ id }),
    output: merchant,
  },
  merchantPushAddress: {
    input: z.object({ id }),
    output: pushAddress,
  },
  replaceMerchantPushAddress: {
    input: z.object({ id }),
    output: pushAddress,
  },
  endPreviousPushAddress: {
    input: z.object({ id }),
    output: z.object({}),
  },
  resumeMerchant: {
    input: z.object({ id }),
    output: merchant,
  },
  merchantUsage: usageSchemas,
  merchantCalls: {
    input: z.object({
      ...listInput,
      id,
      operation: z.optional(text(0, operationLength)),
      failed: z.optional(flag),
    }),
    output: listOf(merchantCall),
  },
};

export const calls = withSchemas(endpoints, schemas);
