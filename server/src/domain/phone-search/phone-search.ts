import { maskPhone, parsePhone, phoneText } from '@waystation/contract/phone.ts';
import { looksLikeNumber, searchWords } from '@waystation/contract/search.ts';
import { recordAudit } from '#platform/audit.ts';
import type { Actor } from '#platform/auth/actor.ts';
import type { Clock } from '#platform/clock.ts';
import { oneRow, sql } from '#platform/db/db.ts';
import type { Tx } from '#platform/db/db.ts';
import { readSetting } from '#platform/settings.ts';
import { fail } from '#platform/fail.ts';
import type { Origin } from '#platform/http/context.ts';
import type { Secrets } from '#platform/secrets/secrets.ts';

/** The digits of a whole phone, without its extension; null for anything else. */
export const wholePhone = (text: string): string | null => parsePhone(text)?.number.replaceAll(/\D/g, '') ?? null;

/** A text that is one phone in any spelling (`138 1234 5678`) as digits; other texts unchanged. */
export const joinedPhone = (text: string): string => {
  const phone = parsePhone(text);
  return phone && phone.extension === '' ? phoneText(phone) : text;
};

/** The phones of a search for several whole phones alone, as digits. */
export const pastedPhones = (text: string): string[] => {
  const words = searchWords(text);
  const phones = words.map((word) => (looksLikeNumber(word) ? wholePhone(word) : null));
  return words.length > 1 && phones.every((phone) => phone !== null) ? phones : [];
};

/** Whether the actor's lists have rows of stations other than its own. */
const seesOthers = ({ role, stations }: Actor): boolean => role === 'super' || role === 'admin' || (role === 'partner' && stations.length > 1);

/**
 * Whether a search may match a whole phone outside the reader's own station: only one phone alone, counted per account and hour, and audited
 * (requirements §10.12). The same phone counts once an hour, so that paging and refreshing are free. Throws `too_many_phone_searches`.
 */
export const countPhoneSearch = async (
  { clock, secrets }: { clock: Clock; secrets: Secrets },
  tx: Tx,
  actor: Actor,
  origin: Origin | null,
  { subject, q, station_id }: { subject: 'expresses' | 'contacts'; q: string | undefined; station_id?: number | undefined },
): Promise<boolean> => {
  const phone = parsePhone(q ?? '');
  // In the actor's own station phones are whole anyway.
  if (!phone || !seesOthers(actor) || (station_id !== undefined && station_id === actor.station_id)) return false;
  const now = clock.now();
  const hour = new Date(Math.floor(now.getTime() / 3_600_000) * 3_600_000);
  const digest = secrets.derive(`phone search ${phone.number}`);
  // Concurrent searches are counted one after another.
  await sql`select pg_advisory_xact_lock(hashtextextended(${`phone search ${actor.account_id}`}, 13))`.execute(tx);
  const { known, n } = await oneRow(
    tx,
    sql<{ known: boolean; n: number }>`select coalesce(bool_or(digest = ${digest}), false) as known, count(*) as n
    from phone_searches where account_id = ${actor.account_id} and hour = ${hour}`,
  );
  if (known) return true;
  const minutes = Math.ceil((hour.getTime() + 3_600_000 - now.getTime()) / 60_000);
  const limit = await readSetting(tx, 'phone_searches_per_hour');
  if (n >= limit) return fail('too_many_phone_searches', { limit, minutes }, { retryAfter: minutes * 60 });
  await tx.insertInto('phone_searches').values({ account_id: actor.account_id, hour, digest }).execute();
  await recordAudit(tx, actor, origin, {
    action: 'search_phone',
    subject,
    subject_id: null,
    station_id: actor.station_id,
    changes: { phone: [null, maskPhone(phone.number)] },
  });
  return true;
};
