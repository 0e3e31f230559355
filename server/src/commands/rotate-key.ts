import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { copyFile, open, readFile, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import pg from 'pg';
import { firstOf } from '@waystation/contract/base/present.ts';
import { ConfigError } from '#config.ts';
import type { Config } from '#config.ts';
import type { Connections } from '#connections.ts';
import type { CommandResult } from './command-result.ts';
import { pushSecretPurpose, secretPurpose } from '#domain/merchant-secrets/merchant-secrets.ts';
import { channelAddressPurpose } from '#domain/notices/notices.ts';
import { webhookSecretPurpose } from '#domain/webhooks/webhooks.ts';
import { twoFactorPurpose } from '#platform/auth/two-factor.ts';
import { fingerprintOf } from '#platform/secrets/fingerprint.ts';
import { otherKey, recoveryPurpose, recoveryUse } from '#platform/secrets/secret-keys.ts';
import { secretsFrom } from '#platform/secrets/secrets.ts';

interface Keys {
  old: Buffer;
  next: Buffer;
}

/**
 * A function that is called between the steps of a key rotation, so that a test can interrupt the
 * rotation.
 */
export type RotationStep = (step: 'encrypted' | 'committed') => Promise<void>;

const writeSynced = async (file: string, text: string): Promise<void> => {
  const handle = await open(file, 'wx', 0o600);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
};

/** Flushes the folder, so that the name of a new or renamed file survives a power failure. */
const syncFolder = async (folder: string): Promise<void> => {
  const handle = await open(folder, 'r');
  await handle.sync().finally(() => handle.close());
};

/**
 * Returns the new key: from the environment, or from a file beside the present key file. The new
 * file is on disk before anything is encrypted with its key, so that an interrupted rotation finds
 * it again.
 */
const nextKey = async ({ newSecretKey, secretKeyFile }: Config): Promise<Buffer> => {
  if (secretKeyFile === null) {
    if (newSecretKey === null)
      throw new ConfigError(
        'WAYSTATION_SECRET_KEY sets the present key: set WAYSTATION_NEW_SECRET_KEY to the new one (openssl rand -hex 32).',
      );
    return newSecretKey;
  }
  const file = `${secretKeyFile}.next`;
  if (!existsSync(file)) {
    await writeSynced(file, (newSecretKey ?? randomBytes(32)).toString('hex'));
    await syncFolder(dirname(file));
  }
  const text = (await readFile(file, 'utf8')).trim();
  if (!/^[0-9a-f]{64}$/i.test(text))
    throw new ConfigError(`${file} does not hold a key of 64 hexadecimal digits; remove it.`);
  return Buffer.from(text, 'hex');
};

/**
 * Keeps the earlier key under another name, because earlier backups need it, and puts the new key
 * in its place.
 */
const keepFile = async (secretKeyFile: string, old: Buffer): Promise<string> => {
  const kept = `${secretKeyFile}.${fingerprintOf(old)}`;
  if (!existsSync(kept)) await copyFile(secretKeyFile, kept);
  await rename(`${secretKeyFile}.next`, secretKeyFile);
  await syncFolder(dirname(secretKeyFile));
  return kept;
};

/** The number of milliseconds in which connections of a process that just stopped may still end. */
const endingMs = 3_000;

/**
 * Throws while processes of the product are connected, because they use the present key.
 * Connections that end within `waitMs` do not count.
 */
const refuseBeside = async (client: pg.Client, role: string, waitMs = 0): Promise<void> => {
  const { rows } = await client.query<{ n: number }>(
    `select count(*)::int as n from pg_stat_activity
     where datname = current_database() and usename = $1 and pid <> pg_backend_pid()`,
    [role],
  );
  const { n } = firstOf(rows);
  if (n === 0) return;
  if (waitMs <= 0)
    throw new ConfigError(
      `The product runs (connections of ${role}: ${n}): stop all its processes, since they would go on with the present key.`,
    );
  await new Promise((later) => setTimeout(later, 100));
  await refuseBeside(client, role, waitMs - 100);
};

const merchantSecrets = {
  app_key: secretPurpose('app_key'),
  app_secret: secretPurpose('app_secret'),
  access_token: secretPurpose('access_token'),
  push_secret: pushSecretPurpose,
};

/** Encrypts each secret again with the new key; returns the number of secrets. */
const encryptAgain = async (client: pg.Client, { old, next }: Keys): Promise<number> => {
  const [from, to] = [secretsFrom(old), secretsFrom(next)];
  let count = 0;
  const again = (sealed: Buffer, purpose: string): Buffer => {
    count += 1;
    return to.seal(from.open(sealed, purpose), purpose);
  };
  for (const [column, purpose] of Object.entries(merchantSecrets)) {
    const { rows } = await client.query<{ id: string; sealed: Buffer }>(
      `select id, ${column} as sealed from merchants where ${column} is not null order by id`,
    );
    for (const { id, sealed } of rows)
      await client.query(`update merchants set ${column} = $2 where id = $1`, [
        id,
        again(sealed, purpose),
      ]);
  }
  for (const column of ['secret', 'previous_secret']) {
    const { rows } = await client.query<{ id: string; sealed: Buffer }>(
      `select id, ${column} as sealed from webhooks where ${column} is not null order by id`,
    );
    for (const { id, sealed } of rows)
      await client.query(`update webhooks set ${column} = $2 where id = $1`, [
        id,
        again(sealed, webhookSecretPurpose),
      ]);
  }
  const { rows: channels } = await client.query<{ id: string; address: Buffer }>(
    'select id, address from notice_channels where address is not null order by id',
  );
  for (const { id, address } of channels)
    await client.query('update notice_channels set address = $2 where id = $1', [
      id,
      again(address, channelAddressPurpose),
    ]);
  const { rows: factors } = await client.query<{ id: string; secret: Buffer }>(
    'select account_id as id, secret from two_factor_secrets order by account_id',
  );
  for (const { id, secret } of factors)
    await client.query('update two_factor_secrets set secret = $2 where account_id = $1', [
      id,
      again(secret, twoFactorPurpose(Number(id))),
    ]);
  const { rows: earlier } = await client.query<{ fingerprint: string; recovery_key: Buffer }>(
    'select fingerprint, recovery_key from secret_keys where recovery_key is not null',
  );
  for (const { fingerprint, recovery_key } of earlier)
    await client.query('update secret_keys set recovery_key = $2 where fingerprint = $1', [
      fingerprint,
      again(recovery_key, recoveryPurpose(fingerprint)),
    ]);
  return count;
};

/** Records the new key as the present one, together with the earlier key of recovery codes. */
const record = async (client: pg.Client, { old, next }: Keys): Promise<void> => {
  const [before, after] = [fingerprintOf(old), fingerprintOf(next)];
  await client.query(
    `insert into secret_keys (fingerprint, began_at, recovery_key) values ($1, now(), $2)
     on conflict (fingerprint) do update set recovery_key = excluded.recovery_key`,
    [before, secretsFrom(next).seal(secretsFrom(old).derive(recoveryUse), recoveryPurpose(before))],
  );
  await client.query('insert into secret_keys (fingerprint, began_at) values ($1, now())', [after]);
  await client.query(
    `insert into audit_log (account_name, role, action, subject, changes)
     values ('system', 'system', 'rotate_key', 'secret_keys',
       jsonb_build_object('fingerprint', jsonb_build_array($1::text, $2::text)))`,
    [before, after],
  );
};

/** Rotates the key in one transaction. Returns null if the new key is already in use. */
const rotate = async (
  client: pg.Client,
  keys: Keys,
  role: string,
  onStep: RotationStep,
): Promise<number | null> => {
  const [before, after] = [fingerprintOf(keys.old), fingerprintOf(keys.next)];
  await refuseBeside(client, role, endingMs);
  await client.query(`begin; set local waystation.scope = 'all'; set local lock_timeout = '10s'`);
  await client.query(
    'lock table merchants, two_factor_secrets, recovery_codes, secret_keys in exclusive mode',
  );
  const { rows } = await client.query<{ fingerprint: string }>(
    'select fingerprint from secret_keys order by id desc',
  );
  const inForce = rows[0]?.fingerprint ?? before;
  if (inForce === after) return null;
  if (inForce !== before) throw new ConfigError(otherKey(inForce, before));
  if (rows.some(({ fingerprint }) => fingerprint === after))
    throw new ConfigError(`The key ${after} was in force before: take another one.`);
  const count = await encryptAgain(client, keys);
  await onStep('encrypted');
  await record(client, keys);
  // A server process that was started during the rotation would continue with the previous key.
  await refuseBeside(client, role);
  await client.query('commit');
  return count;
};

/**
 * `rotate-key` encrypts every secret with a new key, in one transaction. The present key is in
 * force until the commit, and afterwards the new key, which is already on disk. An interrupted
 * rotation continues when the command runs again.
 */
export const rotateKeyCommand = async (
  { config, connections: { owner, role } }: { config: Config; connections: Connections },
  onStep: RotationStep = async () => {},
): Promise<CommandResult> => {
  if (!owner)
    throw new ConfigError('Keys are rotated as the owner of the database: set DATABASE_URL.');
  const { secretKey: old, secretKeyFile } = config;
  const next = await nextKey(config);
  if (next.equals(old)) throw new ConfigError('The new key is the present one: take another one.');
  const client = new pg.Client(owner);
  client.on('error', () => {});
  await client.connect();
  let count: number | null;
  try {
    count = await rotate(client, { old, next }, role.name, onStep);
    if (count === null) await client.query('rollback');
    await onStep('committed');
    // In an external database the application role's password is derived from the key, so it
    // changes too.
    if (role.password !== null && config.appDatabaseUrl === null)
      await client.query(
        `alter role ${pg.escapeIdentifier(role.name)} password ${pg.escapeLiteral(secretsFrom(next).derive('application role'))}`,
      );
  } finally {
    await client.end().catch(() => {});
  }
  const kept = secretKeyFile === null ? null : await keepFile(secretKeyFile, old);
  return {
    text: [
      count === null
        ? `The secret key ${fingerprintOf(next)} was in force already.`
        : `Secrets encrypted again: ${count}. The secret key ${fingerprintOf(next)} is in force.`,
      kept === null
        ? 'Set WAYSTATION_SECRET_KEY to it before the next start, and keep the key before with the backups that were made under it.'
        : `It is in ${secretKeyFile}. ${kept} restores backups that were made before; remove it when none is left.`,
      'Recovery codes stay valid. Unsent drafts in browsers are lost, and the next ledger check reads everything.',
    ].join('\n'),
    code: 0,
  };
};
