import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Thrown with one sentence for each invalid variable. */
export class ConfigError extends Error {}

export type Env = Record<string, string | undefined>;

/** Adds a problem for each key that is not 64 hexadecimal digits. A key may be missing. */
export const checkKeys = (env: Env, problems: string[]): void => {
  for (const name of [
    'WAYSTATION_SECRET_KEY',
    'WAYSTATION_NEW_SECRET_KEY',
    'WAYSTATION_BACKUP_KEY',
    'WAYSTATION_INSTALLATIONS_KEY',
  ])
    if (env[name] && !/^[0-9a-f]{64}$/i.test(env[name]))
      problems.push(`${name} must be 64 hexadecimal digits (openssl rand -hex 32).`);
};

/** Reads the keys of the environment; a key that is not set is null. */
export const keysOf = (env: Env) => {
  const key = (text: string | undefined) => (text ? Buffer.from(text, 'hex') : null);
  return {
    newSecretKey: key(env['WAYSTATION_NEW_SECRET_KEY']),
    backupKey: key(env['WAYSTATION_BACKUP_KEY']),
  };
};

/**
 * Makes the folder and its ancestors one by one, because Node's own recursive mkdir never returns
 * in a folder such as /proc.
 */
const makeDirectory = (path: string): void => {
  const missing: string[] = [];
  for (let at = path; !existsSync(at); at = dirname(at)) missing.unshift(at);
  for (const folder of missing) mkdirSync(folder);
};

export const keyFileIn = (dataDir: string): string => join(dataDir, 'secret.key');

/**
 * Returns the secret key from the environment. If it is not set there, reads the key from a file
 * beside the data. The first start creates this file, which only its owner can read.
 */
export const secretKey = (hex: string | undefined, dataDir: string): Buffer => {
  if (hex) return Buffer.from(hex, 'hex');
  const file = keyFileIn(dataDir);
  try {
    if (!existsSync(file)) {
      makeDirectory(dataDir);
      writeFileSync(file, randomBytes(32).toString('hex'), { mode: 0o600, flag: 'wx' });
    }
    const text = readFileSync(file, 'utf8').trim();
    if (!/^[0-9a-f]{64}$/i.test(text))
      throw new ConfigError(
        `${file} does not hold a key of 64 hexadecimal digits; restore it from a backup, since what was sealed with it cannot be opened otherwise.`,
      );
    return Buffer.from(text, 'hex');
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    throw new ConfigError(
      `The data directory ${dataDir} cannot be written (${(error as NodeJS.ErrnoException).code ?? 'error'}); set WAYSTATION_DATA to one that can.`,
    );
  }
};
