import { randomBytes, scrypt } from 'node:crypto';
import { promisify } from 'node:util';
import { phoneText, readPhone } from '@waystation/contract/parcels/phone.ts';
import type { App } from '#app.ts';
import { sql } from '#platform/db/db.ts';
import type { Work } from '#platform/db/db.ts';
import { systemScope } from '#platform/db/scope.ts';

const scope = systemScope('earlier erasures');
const hash = promisify<string, string, number, Buffer>(scrypt);
const bytes = 32;
/** The limit of earlier erasures of one person that a search returns. */
const mostErased = 10;

/**
 * A slow hash of an erased person's phone and name, because an attacker could try all phones. Equal
 * phones and names have equal hashes if the salt is the same.
 */
const fingerprintOf = async (salt: string, phone: string, name: string): Promise<string> =>
  (await hash(`${phone} ${name}`, salt, bytes)).toString('hex');

export interface Prints {
  salt: string;
  fingerprints: string[];
}

/**
 * Makes the fingerprints of a phone, one for each name. Each takes long, so callers must hold no
 * lock meanwhile.
 */
export const printsOf = async (
  salt: string,
  phone: string,
  names: readonly string[],
): Promise<Prints> => {
  const fingerprints: string[] = [];
  for (const name of names) fingerprints.push(await fingerprintOf(salt, phone, name));
  return { salt, fingerprints };
};

/** The salt of all erasures; a new salt (`made`) if there was no erasure yet. */
export const saltOf = async (
  work: Work,
  made = randomBytes(16).toString('hex'),
): Promise<string> => {
  const row = await work.tx.selectFrom('erasures').select('salt').limit(1).executeTakeFirst();
  return row?.salt ?? made;
};

/** Returns the times when this phone and name were erased. */
export const erasedAt = async ({ db }: App, typed: string, name: string): Promise<string[]> => {
  const read = readPhone(typed);
  if (!read.ok) return [];
  const salt = await db.tx(scope, saltOf);
  const print = await fingerprintOf(salt, phoneText(read.phone), name);
  const { rows } = await db.tx(scope, (work) =>
    sql<{ done_at: Date }>`select done_at from erasures where status = 'done'
      and ${print} = any(fingerprints) order by id desc limit ${mostErased}`.execute(work.tx),
  );
  return rows.map(({ done_at }) => done_at.toISOString());
};
