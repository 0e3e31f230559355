import { ConfigError } from '#config.ts';
import { sql } from '#platform/db/db.ts';
import type { Db, RowOf, Work } from '#platform/db/db.ts';
import { systemScope } from '#platform/db/scope.ts';
import { fingerprintOf } from './fingerprint.ts';
import type { Secrets } from './secrets.ts';

/** The name of the derived secret with which recovery codes are hashed. */
export const recoveryUse = 'recovery codes';

/**
 * Returns the purpose for which the recovery-code key of an earlier secret key is encrypted.
 * `fingerprint` identifies the earlier secret key.
 */
export const recoveryPurpose = (fingerprint: string): string =>
  `${recoveryUse} of key ${fingerprint}`;

/**
 * Returns the fingerprint of the secret key that the database uses, and the time of its first use.
 * Returns null if no key was ever stored.
 */
export const keyInForce = async (
  work: Work,
): Promise<RowOf<'secret_keys', 'fingerprint' | 'began_at'> | null> => {
  const { rows } = await sql<RowOf<'secret_keys', 'fingerprint' | 'began_at'>>`select fingerprint,
    began_at from secret_keys order by id desc limit 1`.execute(work.tx);
  return rows[0] ?? null;
};

/** The error message for a process whose secret key is not the key that the database uses. */
export const otherKey = (inForce: string, ours: string): string =>
  `The secrets of this database are under the secret key ${inForce}, and this installation has ${ours}: set WAYSTATION_SECRET_KEY to that key. Where "rotate-key" was interrupted, run it again.`;

/**
 * Throws if the database uses another secret key. At the first start, stores the fingerprint of
 * this key.
 */
export const assertSecretKey = async (db: Db, secretKey: Buffer, now: Date): Promise<void> => {
  const ours = fingerprintOf(secretKey);
  await db.tx(systemScope('secret key'), async (work) => {
    const known = await keyInForce(work);
    if (known === null)
      await sql`insert into secret_keys (fingerprint, began_at) values (${ours}, ${now})
        on conflict do nothing`.execute(work.tx);
    else if (known.fingerprint !== ours) throw new ConfigError(otherKey(known.fingerprint, ours));
  });
};

/** Returns the keys of recovery codes that were created with earlier secret keys. */
export const earlierRecoveryKeys = async (work: Work, secrets: Secrets): Promise<string[]> => {
  const { rows } = await sql<{ fingerprint: string; recovery_key: Buffer }>`select fingerprint,
    recovery_key from secret_keys where recovery_key is not null`.execute(work.tx);
  return rows.map(({ fingerprint, recovery_key }) =>
    secrets.open(recovery_key, recoveryPurpose(fingerprint)),
  );
};
