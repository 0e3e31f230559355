import * as z from 'zod/mini';
import { withSchemas } from '#base/endpoint.ts';
import { id, integer, listInput, listOf, searchText, text, time } from '#base/fields.schema.ts';
import { keyScopes } from '#base/key-scopes.ts';
import {
  keyAddressLength,
  momentLength,
  mostBalance,
  mostKeyAddresses,
  otpLength,
  shortNameLength,
} from '#base/limits.ts';
import { roles } from '#base/roles.ts';
import { secretText } from './account.schema.ts';
import * as endpoints from './api-key.ts';

const scope = z.enum(keyScopes, 'invalid');

/**
 * `stopped`: the key is neither expired nor revoked, but does not work now because of its account,
 * its station, its role, or the person who made it.
 */
const status = z.enum(['live', 'stopped', 'expired', 'revoked'], 'invalid');

const apiKey = z.object({
  id: z.int(),
  name: z.string(),
  account_id: z.int(),
  username: z.string(),
  nickname: z.string(),
  role: z.enum(roles),
  station_id: z.nullable(z.int()),
  station_name: z.nullable(z.string()),
  /** The first characters of the API key. */
  hint: z.string(),
  scopes: z.array(scope),
  /** The IP addresses that may use the key; an empty list permits any address. */
  addresses: z.array(z.string()),
  status,
  /** The name of the account that made the key; null if the caller may not see this account. */
  made_by: z.nullable(z.string()),
  created_at: time,
  /**
   * The time when the key ends. Null for some old keys that never end; every new key has an end.
   */
  expires_at: z.nullable(time),
  /**
   * The limit in fen of the key's orders on a business day; null if only the limit of its account
   * applies.
   */
  daily_limit: z.nullable(z.int()),
  /**
   * The sum in fen that the key has ordered on the present business day, cancelled orders included.
   */
  ordered_today: z.int(),
  /** The time is exact to a minute. */
  last_used_at: z.nullable(time),
  revoked_at: z.nullable(time),
});
export type ApiKey = z.infer<typeof apiKey>;

const dailyLimit = z.nullable(integer(0, mostBalance));
const proof = {
  /** The caller's own password, and a code if the caller has two-factor authentication. */
  password: secretText,
  otp: z.optional(z.string().check(z.maxLength(otpLength, 'too_long'))),
};

export const schemas = {
  listKeys: {
    input: z.object({
      ...listInput,
      /** A part of the API key's name or of the account's name. */
      q: z.optional(searchText),
      account_id: z.optional(id),
      station_id: z.optional(id),
      status: z.optional(status),
    }),
    output: listOf(apiKey),
  },
  createKey: {
    input: z.object({
      ...proof,
      name: text(1, shortNameLength),
      /** The id of the key's account; by default the caller's own account. */
      account_id: z.optional(id),
      scopes: z
        .array(scope)
        .check(z.minLength(1, 'required'), z.maxLength(keyScopes.length, 'too_long')),
      addresses: z.optional(
        z.array(text(1, keyAddressLength)).check(z.maxLength(mostKeyAddresses, 'too_long')),
      ),
      daily_limit: z.optional(dailyLimit),
      /** When the key ends, with offset, at most 365 days from now; if absent, after 90 days. */
      expires_at: z.optional(
        z.iso
          .datetime({ offset: true, error: 'invalid' })
          .check(z.maxLength(momentLength, 'too_long')),
      ),
    }),
    output: z.object({ api_key: apiKey, key: z.string() }),
  },
  limitKey: {
    input: z.object({ id, daily_limit: dailyLimit, ...proof }),
    output: apiKey,
  },
  revokeKey: {
    input: z.object({ id }),
    output: apiKey,
  },
};

export const calls = withSchemas(endpoints, schemas);
