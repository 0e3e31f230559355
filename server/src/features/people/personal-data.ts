import type { OutputOf, ParsedOf } from '@waystation/contract/base/endpoint.ts';
import { maskPhone, readPhone } from '@waystation/contract/parcels/phone.ts';
import {
  mostPersonContacts,
  mostPersonNames,
  mostPersonParcels,
} from '@waystation/contract/people/personal-data.ts';
import type { exportPerson, findPerson } from '@waystation/contract/people/personal-data.ts';
import type { App } from '#app.ts';
import { countReveals } from '#domain/phone-search/phone-search.ts';
import { queueJob } from '#domain/user-jobs/user-jobs.ts';
import { recordAudit } from '#platform/audit.ts';
import type { Actor } from '#platform/auth/actor.ts';
import { callerOf, sql } from '#platform/db/db.ts';
import type { UserWork, Work } from '#platform/db/db.ts';
import { fail, failFields } from '#platform/fail.ts';
import type { RequestContext } from '#platform/http/context.ts';

/** The name of the job's list, and of the audited subject. */
export const personalData = 'personal_data';

/** The phone in its canonical form without an extension, and its digits as keys of parcels have them. */
interface WholePhone {
  number: string;
  digits: string;
}

const wholePhoneOf = (typed: string): WholePhone => {
  const read = readPhone(typed);
  if (!read.ok) return failFields({ phone: { code: read.code } });
  const { number } = read.phone;
  return { number, digits: number.replaceAll(/\D/g, '') };
};

/** A side of a parcel, or an entry of an address book, that has the phone. */
interface Found {
  kind: 'sender' | 'receive' | 'contact';
  id: number;
  name: string;
  station_id: number;
  is_open: boolean;
  at: Date;
}

/** States after which nothing more happens to a parcel by itself. */
const finished = sql`(0, 90, 300, 420, 500)`;

/**
 * Everything that has the phone. Reads as many keys as the limits allow; above them it is refused,
 * because a number of so many parcels is a station's.
 */
const foundBy = async (work: Work, { number, digits }: WholePhone): Promise<Found[]> => {
  const key = [...digits].toReversed().join('');
  const { rows: keys } = await sql<{ id: number }>`select k.express_id as id from express_keys k
    where k.express_id > 0 and k.kind = 3 and k.key = ${key}
    order by k.express_id desc limit ${mostPersonParcels + 1}`.execute(work.tx);
  const { rows: contacts } = await sql<Found>`select 'contact' as kind, id, name, station_id,
      false as is_open, updated_at as at from contacts
    where phone collate "C" >= ${number} and phone collate "C" < ${`${number}.`}
    limit ${mostPersonContacts + 1}`.execute(work.tx);
  if (keys.length > mostPersonParcels || contacts.length > mostPersonContacts)
    return fail('person_too_many', { limit: mostPersonParcels });
  const { rows: sides } = await sql<Found>`
    select s.kind, e.id, s.name, e.station_id, e.state_code not in ${finished} as is_open,
      e.created_at as at
    from expresses e cross join lateral (values
      ('sender', e.sender_name, e.sender_phone),
      ('receive', e.receive_name, e.receive_phone)) s (kind, name, phone)
    where e.id = any(${keys.map(({ id }) => id)}::bigint[])
      and phone_digits(s.phone) = ${digits}`.execute(work.tx);
  return [...sides, ...contacts];
};

/** Counts the search, finds, and records both with the reason; the phone is masked. */
const findAudited = async (
  app: App,
  work: UserWork,
  {
    action,
    phone,
    reason,
    names,
  }: { action: string; phone: string; reason: string; names?: readonly string[] },
): Promise<Found[]> => {
  const whole = wholePhoneOf(phone);
  await countReveals(app, work, [whole.number]);
  const found = await foundBy(work, whole);
  const kept = names === undefined ? found : found.filter(({ name }) => names.includes(name));
  await recordAudit(work, {
    action,
    subject: personalData,
    subject_id: null,
    reason,
    changes: {
      phone: [null, maskPhone(whole.number)],
      parcels: [
        null,
        new Set(kept.filter(({ kind }) => kind !== 'contact').map(({ id }) => id)).size,
      ],
      contacts: [null, kept.filter(({ kind }) => kind === 'contact').length],
    },
  });
  return kept;
};

export const find = (
  app: App,
  actor: Actor,
  input: ParsedOf<typeof findPerson>,
  request: RequestContext,
): Promise<OutputOf<typeof findPerson>> =>
  app.db.tx(callerOf(actor, request), async (work) => {
    const found = await findAudited(app, work, { ...input, action: 'find_person' });
    const names = [...Map.groupBy(found, ({ name }) => name)]
      .map(([name, rows]) => ({
        name,
        sent: rows.filter(({ kind }) => kind === 'sender').length,
        received: rows.filter(({ kind }) => kind === 'receive').length,
        open: new Set(rows.filter(({ is_open }) => is_open).map(({ id }) => id)).size,
        contacts: rows.filter(({ kind }) => kind === 'contact').length,
        newest_at: new Date(Math.max(...rows.map(({ at }) => at.getTime()))).toISOString(),
      }))
      .toSorted((one, other) => (one.newest_at < other.newest_at ? 1 : -1));
    return {
      names: names.slice(0, mostPersonNames),
      more: Math.max(names.length - mostPersonNames, 0),
    };
  });

/** Parameters of the job: which rows, and no word of the person. */
export interface PersonJob {
  senders: number[];
  receivers: number[];
  contacts: number[];
  language: 'zh' | 'en';
}

export const start = (
  app: App,
  actor: Actor,
  { language = 'zh', ...input }: ParsedOf<typeof exportPerson>,
  request: RequestContext,
): Promise<OutputOf<typeof exportPerson>> =>
  app.db.tx(callerOf(actor, request), async (work) => {
    if (actor.may_export === 0) fail('export_not_allowed');
    const found = await findAudited(app, work, { ...input, action: 'export_person' });
    if (found.length === 0) fail('person_not_found');
    const idsOf = (wanted: Found['kind']): number[] =>
      found.filter(({ kind }) => kind === wanted).map(({ id }) => id);
    const params: PersonJob = {
      senders: idsOf('sender'),
      receivers: idsOf('receive'),
      contacts: idsOf('contact'),
      language,
    };
    const job_id = await queueJob(work, {
      list: personalData,
      action: 'export',
      params: { ...params, role: actor.role },
      total: 0,
      queue: 'archives',
    });
    return { job_id };
  });
