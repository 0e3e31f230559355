import { createHash, randomBytes } from 'node:crypto';
import type { Work } from '#platform/db/db.ts';
import type { Secrets } from '#platform/secrets/secrets.ts';

export const pushSecretPurpose = 'merchants.push_secret';

/** The hash by which the carrier account of a push is found. */
export const pushSecretHash = (secret: string): Buffer =>
  createHash('sha256').update(secret).digest();

interface Columns {
  push_secret: Buffer;
  push_secret_hash: Buffer;
}
const columnsOf = (secrets: Secrets, secret: string): Columns => ({
  push_secret: secrets.seal(secret, pushSecretPurpose),
  push_secret_hash: pushSecretHash(secret),
});

/** Creates a secret for the push URL, and the columns in which it is stored. */
export const makePushSecret = (secrets: Secrets): { secret: string; columns: Columns } => {
  const secret = randomBytes(24).toString('base64url');
  return { secret, columns: columnsOf(secrets, secret) };
};

/**
 * The push secret of a carrier account; it is created if the account has none. Reading takes no
 * lock. Creating locks the row for update from the start, because raising a weaker lock later could
 * deadlock with a call of the account.
 */
export const openPushSecret = async (
  work: Work,
  secrets: Secrets,
  merchant_id: number,
): Promise<string> => {
  const stored = work.tx
    .selectFrom('merchants')
    .select('push_secret')
    .where('id', '=', merchant_id);
  const encrypted =
    (await stored.executeTakeFirst())?.push_secret ??
    (await stored.forUpdate().executeTakeFirst())?.push_secret;
  if (encrypted) return secrets.open(encrypted, pushSecretPurpose);
  const { secret, columns } = makePushSecret(secrets);
  await work.tx
    .updateTable('merchants')
    .set({ push_secret: columns.push_secret, push_secret_hash: columns.push_secret_hash })
    .where('id', '=', merchant_id)
    .execute();
  return secret;
};

/**
 * Gives a locked carrier account a new push secret. Pushes may still use the previous secret until
 * `previousUntil`.
 */
export const replacePushSecret = async (
  work: Work,
  secrets: Secrets,
  merchant_id: number,
  previousUntil: Date,
): Promise<string> => {
  const { push_secret_hash } = await work.tx
    .selectFrom('merchants')
    .select('push_secret_hash')
    .where('id', '=', merchant_id)
    .executeTakeFirstOrThrow();
  const { secret, columns } = makePushSecret(secrets);
  await work.tx
    .updateTable('merchants')
    .set({
      ...columns,
      previous_push_hash: push_secret_hash,
      previous_push_until: push_secret_hash && previousUntil,
    })
    .where('id', '=', merchant_id)
    .execute();
  return secret;
};

/** Ends the validity of the previous push secret; pushes must then use the current one. */
export const endPreviousPushSecret = async (work: Work, merchant_id: number): Promise<void> => {
  await work.tx
    .updateTable('merchants')
    .set({ previous_push_hash: null, previous_push_until: null })
    .where('id', '=', merchant_id)
    .execute();
};
