import { maskPhone, parsePhone, phoneText } from '@waystation/contract/parcels/phone.ts';
import { looksLikeNumber, searchWords } from '@waystation/contract/shell/search.ts';
import { recordReadAudit } from '#platform/audit.ts';
import type { Actor } from '#platform/auth/actor.ts';
import type { Clock } from '#platform/clock.ts';
import { sql } from '#platform/db/db.ts';
import type { ReaderWork } from '#platform/db/db.ts';
import { readSetting } from '#platform/settings.ts';
import { fail } from '#platform/fail.ts';
import type { Secrets } from '#platform/secrets/secrets.ts';

/**
 * The digits of a text that is a complete phone number, without its extension; null for any other
 * text.
 */
export const wholePhone = (text: string): string | null =>
  parsePhone(text)?.number.replaceAll(/\D/g, '') ?? null;

/**
 * The digits of a text that is exactly one phone number in any spelling (`138 1234 5678`); any
 * other text is returned unchanged.
 */
export const joinedPhone = (text: string): string => {
  const phone = parsePhone(text);
  return phone && phone.extension === '' ? phoneText(phone) : text;
};

/**
 * The phones, as digits, if a search text consists only of two or more complete phone numbers;
 * otherwise none.
 */
export const pastedPhones = (text: string): string[] => {
  const words = searchWords(text);
  const phones = words.map((word) => (looksLikeNumber(word) ? wholePhone(word) : null));
  return words.length > 1 && phones.every((phone) => phone !== null) ? phones : [];
};

/**
 * True if the actor's lists contain rows of several stations or of a station other than its own.
 */
const seesOthers = ({ role, stations }: Actor): boolean =>
  role === 'super' || role === 'admin' || (role === 'partner' && stations.length > 1);

interface PhoneContext {
  clock: Clock;
  secrets: Secrets;
}

/**
 * Counts the phones that this account has not seen in this hour, and returns them. Throws `refusal`
 * if the count would exceed the setting.
 */
const countPhones = async (
  { clock, secrets }: PhoneContext,
  work: ReaderWork,
  {
    numbers,
    refusal,
  }: { numbers: readonly string[]; refusal: 'too_many_phone_searches' | 'too_many_reveals' },
): Promise<string[]> => {
  const now = clock.now();
  const hour = new Date(Math.floor(now.getTime() / 3_600_000) * 3_600_000);
  // The lock makes concurrent calls of the same account wait, so that each is counted.
  await sql`select pg_advisory_xact_lock(hashtextextended(${`phone search ${work.actor.account_id}`},
    13))`.execute(work.tx);
  const rows = await work.tx
    .selectFrom('phone_searches')
    .select('digest')
    .where('account_id', '=', work.actor.account_id)
    .where('hour', '=', hour)
    .execute();
  const known = new Set(rows.map(({ digest }) => digest));
  const unknown = new Map(
    [...new Set(numbers)].map((number) => [number, secrets.derive(`phone search ${number}`)]),
  );
  for (const [number, digest] of unknown) if (known.has(digest)) unknown.delete(number);
  if (unknown.size === 0) return [];
  const minutes = Math.ceil((hour.getTime() + 3_600_000 - now.getTime()) / 60_000);
  const limit = await readSetting(work, 'phone_searches_per_hour');
  if (known.size + unknown.size > limit)
    return fail(refusal, { limit, minutes }, { retryAfter: minutes * 60 });
  await work.tx
    .insertInto('phone_searches')
    .values(
      [...unknown.values()].map((digest) => ({ account_id: work.actor.account_id, hour, digest })),
    )
    .execute();
  return [...unknown.keys()];
};

/**
 * True if a search may match complete phone numbers outside the reader's own station, because it is
 * for exactly one phone. Such searches are counted per account and hour, and audited (requirements
 * §10.12). The same phone counts once an hour, so that paging and refreshing cost nothing. Throws
 * `too_many_phone_searches`.
 */
export const countPhoneSearch = async (
  app: PhoneContext,
  work: ReaderWork,
  {
    subject,
    q,
    station_id,
  }: { subject: 'expresses' | 'contacts'; q: string | undefined; station_id?: number | undefined },
): Promise<boolean> => {
  const phone = parsePhone(q ?? '');
  // A phone of the actor's own station is shown completely anyway, so this search is not counted.
  if (
    !phone ||
    !seesOthers(work.actor) ||
    (station_id !== undefined && station_id === work.actor.station_id)
  )
    return false;
  const counted = await countPhones(app, work, {
    numbers: [phone.number],
    refusal: 'too_many_phone_searches',
  });
  if (counted.length > 0)
    await recordReadAudit(work, {
      action: 'search_phone',
      subject,
      subject_id: null,
      station_id: work.actor.station_id,
      changes: { phone: [null, maskPhone(phone.number)] },
    });
  return true;
};

/**
 * Counts the complete phones of another station that will be shown. They count together with phone
 * searches in the same hour, because both reveal phones. A phone that the account has already seen
 * in this hour does not count. Throws `too_many_reveals`.
 */
export const countReveals = async (
  app: PhoneContext,
  work: ReaderWork,
  phones: readonly string[],
): Promise<void> => {
  const numbers = phones
    .filter((phone) => phone !== '')
    .map((phone) => parsePhone(phone)?.number ?? phone);
  await countPhones(app, work, { numbers, refusal: 'too_many_reveals' });
};
