import { createHash } from 'node:crypto';
import { isIPv6 } from 'node:net';
import { sql } from '#platform/db/db.ts';
import type { Work } from '#platform/db/db.ts';
import { fail } from '#platform/fail.ts';

/**
 * The limits of failed attempts within `minutes`: for one account from unknown browsers, for one IP
 * address from unknown browsers, and for one account from each known browser (requirements
 * §10.12.6).
 */
const window = { minutes: 15, perAccount: 5, perAddress: 10 };

/**
 * One attempt to enter a password or code, at the login or while logged in. `username` is in lower
 * case.
 */
export interface Attempt {
  username: string;
  address: string;
  at: Date;
  /**
   * The hash of a browser that has logged in to this account before, or a hash for a user who is
   * logged in to the account. Null for an unknown browser. Attempts of known browsers are counted
   * separately.
   */
  known_as: Buffer | null;
}

/**
 * Returns the address whose login attempts are counted. For an IPv6 address, this is its /64
 * network, which usually belongs to one customer. For an IPv4 address mapped to IPv6, it is the
 * IPv4 address. Any other text is returned unchanged.
 */
export const throttledAddress = (address: string): string => {
  const plain = address.replace(/%.*$/, '').toLowerCase();
  if (!isIPv6(plain)) return plain;
  const dotted = /(\d+)\.(\d+)\.(\d+)\.(\d+)$/.exec(plain);
  const hex = dotted
    ? `${((+dotted[1]! << 8) | +dotted[2]!).toString(16)}:${((+dotted[3]! << 8) | +dotted[4]!).toString(16)}`
    : '';
  const [head = '', tail] = (dotted ? plain.slice(0, dotted.index) + hex : plain).split('::');
  const groups = (text: string | undefined): string[] => (text ? text.split(':') : []);
  const known = [...groups(head), ...groups(tail)];
  const all = [...groups(head), ...Array<string>(8 - known.length).fill('0'), ...groups(tail)].map(
    (group) => Number.parseInt(group, 16),
  );
  const isMapped = all.slice(0, 5).every((group) => group === 0) && all[5] === 0xffff;
  if (isMapped) return [all[6]! >> 8, all[6]! & 255, all[7]! >> 8, all[7]! & 255].join('.');
  return `${all
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(':')}::/64`;
};

/** The value of `known_as` for an attempt by a user who is already logged in to the account. */
export const loggedIn: Buffer = createHash('sha256').update('logged in').digest();

/** Returns the seconds until the next attempt is allowed; 0 if it is allowed now. */
const waitFor = async (
  work: Work,
  { username, address, at, known_as }: Attempt,
): Promise<number> => {
  const since = new Date(at.getTime() - window.minutes * 60_000);
  const more = window.perAccount - window.perAddress;
  const ofAddress =
    known_as === null
      ? sql`union all (select at, count(*) over () + ${more},
        row_number() over (order by at desc) + ${more}
          from login_failures where address = ${address} and known_as is null
            and at > ${since})`
      : sql``;
  const { rows } = await sql<{ until: Date | null }>`
    select max(at) as until from (
      (select at, count(*) over () as tries, row_number() over (order by at desc) as nth
        from login_failures
        where username = ${username} and known_as is not distinct from ${known_as}
          and at > ${since}) ${ofAddress}) t
    where tries >= ${window.perAccount} and nth = ${window.perAccount}`.execute(work.tx);
  const until = rows[0]?.until;
  return until
    ? Math.max(0, Math.ceil((until.getTime() + window.minutes * 60_000 - at.getTime()) / 1000))
    : 0;
};

/**
 * Counts an attempt as failed before the password or code is checked, for all processes together.
 * Throws `login_throttled` above the limit. The caller commits this transaction before the check.
 * If the password or code is right, the caller then calls `clearAttempt`.
 */
export const countAttempt = async (
  work: Work,
  { address: from, ...rest }: Attempt,
): Promise<void> => {
  const attempt = { ...rest, address: throttledAddress(from) };
  // Attempts for the same name, or from the same address, are processed one after the other, so
  // that simultaneous guesses are all counted.
  await sql`select pg_advisory_xact_lock(hashtextextended(${attempt.username},
    11))`.execute(work.tx);
  await sql`select pg_advisory_xact_lock(hashtextextended(${attempt.address},
    12))`.execute(work.tx);
  const seconds = await waitFor(work, attempt);
  if (seconds > 0) fail('login_throttled', { seconds }, { retryAfter: seconds });
  const { username, address, at, known_as } = attempt;
  await work.tx.insertInto('login_failures').values({ username, address, at, known_as }).execute();
};

/** Removes a counted attempt, because its password or code was right. */
export const clearAttempt = async (
  work: Work,
  { username, address, at, known_as }: Attempt,
): Promise<void> => {
  await sql`delete from login_failures where id = (select id from login_failures
    where username = ${username} and address = ${throttledAddress(address)} and at = ${at}
      and known_as is not distinct from ${known_as} limit 1)`.execute(work.tx);
};
