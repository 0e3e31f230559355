import { createHmac, randomBytes, randomInt } from 'node:crypto';
import { sql } from '#platform/db/db.ts';
import type { Work } from '#platform/db/db.ts';
import { earlierRecoveryKeys, recoveryUse } from '#platform/secrets/secret-keys.ts';
import type { Secrets } from '#platform/secrets/secrets.ts';
import { stepOfCode } from './totp.ts';

export interface TwoFactor {
  secret: Buffer;
  confirmed_at: Date | null;
  last_step: number;
  created_at: Date;
}

const secretBytes = 20;
const codesAtOnce = 10;
/** Letters that are distinct on paper. A code has 60 bits. */
const letters = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';
/** Returns the purpose for which an account's two-factor secret is encrypted. */
export const twoFactorPurpose = (account_id: number): string =>
  `second factor of account ${account_id}`;

/** Returns the account's two-factor secret, which may not be confirmed yet; null if it has none. */
export const twoFactorOf = async (work: Work, account_id: number): Promise<TwoFactor | null> => {
  const row = await work.tx
    .selectFrom('two_factor_secrets')
    .select(['secret', 'confirmed_at', 'last_step', 'created_at'])
    .where('account_id', '=', account_id)
    .executeTakeFirst();
  return row ?? null;
};

/** Stores a new secret that has no effect until a code of it was entered. */
export const beginTwoFactor = async (
  work: Work,
  secrets: Secrets,
  account_id: number,
  now: Date,
): Promise<Buffer> => {
  const secret = randomBytes(secretBytes);
  const sealed = secrets.seal(secret.toString('base64'), twoFactorPurpose(account_id));
  await sql`insert into two_factor_secrets (account_id, secret, created_at)
    values (${account_id}, ${sealed}, ${now})
    on conflict (account_id) do update set secret = excluded.secret,
      created_at = excluded.created_at, last_step = 0, confirmed_at = null`.execute(work.tx);
  return secret;
};

/** Deletes the account's two-factor secret and recovery codes. */
export const removeTwoFactor = async (work: Work, account_id: number): Promise<void> => {
  await work.tx.deleteFrom('recovery_codes').where('account_id', '=', account_id).execute();
  await work.tx.deleteFrom('two_factor_secrets').where('account_id', '=', account_id).execute();
};

/** Removes spaces and dashes from a code that was typed. */
const plain = (otp: string): string => otp.replaceAll(/[\s-]/g, '').toUpperCase();

const hashUnder = (key: string, account_id: number, code: string): Buffer =>
  createHmac('sha256', key).update(`${account_id}:${code}`).digest();
const hashOf = (secrets: Secrets, account_id: number, code: string): Buffer =>
  hashUnder(secrets.derive(recoveryUse), account_id, code);

/** A code that a person has entered. */
interface EnteredCode {
  account_id: number;
  otp: string;
  now: Date;
}

/**
 * Accepts each code of the authenticator app only once, even if several processes check it. Returns
 * false if the code is wrong, too old or already used.
 */
export const consumeAppCode = async (
  work: Work,
  secrets: Secrets,
  { account_id, otp, now }: EnteredCode,
): Promise<boolean> => {
  const factor = await work.tx
    .selectFrom('two_factor_secrets')
    .select(['secret', 'last_step'])
    .where('account_id', '=', account_id)
    .forUpdate()
    .executeTakeFirst();
  if (!factor) return false;
  const secret = Buffer.from(secrets.open(factor.secret, twoFactorPurpose(account_id)), 'base64');
  const step = stepOfCode(secret, plain(otp), now, factor.last_step);
  if (step === null) return false;
  await work.tx
    .updateTable('two_factor_secrets')
    .set({ last_step: step })
    .where('account_id', '=', account_id)
    .execute();
  return true;
};

const consumeRecoveryCode = async (
  work: Work,
  secrets: Secrets,
  { account_id, otp, now }: EnteredCode,
): Promise<boolean> => {
  const earlier = await earlierRecoveryKeys(work, secrets);
  const hashes = [
    hashOf(secrets, account_id, plain(otp)),
    ...earlier.map((key) => hashUnder(key, account_id, plain(otp))),
  ];
  const rows = await work.tx
    .updateTable('recovery_codes')
    .set({ used_at: now })
    .where('account_id', '=', account_id)
    .where('code_hash', 'in', hashes)
    .where('used_at', 'is', null)
    .returning('id')
    .execute();
  return rows.length > 0;
};

/**
 * Accepts a code of the app or a recovery code, each of them only once. Returns which of the two it
 * was, for the audit log; null if the code is wrong.
 */
export const verifyTwoFactor = async (
  work: Work,
  secrets: Secrets,
  { account_id, otp, now }: EnteredCode,
): Promise<'app' | 'recovery' | null> => {
  if (/^\d{6}$/.test(plain(otp)))
    return (await consumeAppCode(work, secrets, { account_id, otp, now })) ? 'app' : null;
  return (await consumeRecoveryCode(work, secrets, { account_id, otp, now })) ? 'recovery' : null;
};

const newCode = (): string =>
  [0, 1, 2]
    .map(() => Array.from({ length: 4 }, () => letters[randomInt(letters.length)]).join(''))
    .join('-');

/**
 * Replaces the recovery codes of the account by new ones, and returns them. Only their keyed hashes
 * are stored.
 */
export const makeRecoveryCodes = async (
  work: Work,
  secrets: Secrets,
  account_id: number,
): Promise<string[]> => {
  const codes = Array.from({ length: codesAtOnce }, newCode);
  await work.tx.deleteFrom('recovery_codes').where('account_id', '=', account_id).execute();
  for (const code of codes)
    await work.tx
      .insertInto('recovery_codes')
      .values({ account_id, code_hash: hashOf(secrets, account_id, plain(code)) })
      .execute();
  return codes;
};
