import type { OutputOf, ParsedOf } from '@waystation/contract/base/endpoint.ts';
import { maskPhone, phoneText, readPhone } from '@waystation/contract/parcels/phone.ts';
import {
  mostNarrowedParcels,
  mostPersonContacts,
  mostPersonNames,
  mostPersonParcels,
  personalData,
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
import { erasedAt } from './fingerprints.ts';

/**
 * The canonical form of a phone, and its digits without the extension, as keys of parcels contain
 * them.
 */
export interface WholePhone {
  number: string;
  /** The canonical phone with its extension; null if no extension was typed. */
  extended: string | null;
  digits: string;
}

export const wholePhoneOf = (typed: string): WholePhone => {
  const read = readPhone(typed);
  if (!read.ok) return failFields({ phone: { code: read.code } });
  const { number, extension } = read.phone;
  return {
    number,
    extended: extension === '' ? null : phoneText(read.phone),
    digits: number.replaceAll(/\D/g, ''),
  };
};

/**
 * One found place with the person: a side of a parcel, an entry of an address book, the sender of a
 * station, or an account.
 */
export interface Found {
  kind: 'sender' | 'receive' | 'contact' | 'station' | 'account';
  id: number;
  name: string;
  is_open: boolean;
  at: Date;
}

/** The states in which nothing more happens to a parcel by itself. */
export const finished = sql`(0, 90, 300, 420, 500)`;

/** The condition that a row has the phone, with exactly this extension if one was typed. */
const hasPhone = (column: string, { extended, digits }: WholePhone) =>
  extended === null
    ? sql`phone_digits(${sql.ref(column)}) = ${digits}`
    : sql`${sql.ref(column)} = ${extended}`;

type Names = readonly string[] | undefined;

const among = (name: ReturnType<typeof sql>, names: Names) =>
  names === undefined ? sql`true` : sql`${name} = any(${[...names]}::text[])`;

const parcelsOf = async (work: Work, whole: WholePhone, names: Names): Promise<Found[] | null> => {
  const key = [...whole.digits].toReversed().join('');
  const most = names || whole.extended !== null ? mostNarrowedParcels : mostPersonParcels;
  const { rows: keys } = await sql<{ id: number }>`select k.express_id as id from express_keys k
    where k.express_id > 0 and k.kind = 3 and k.key = ${key}
    order by k.express_id desc limit ${most + 1}`.execute(work.tx);
  if (keys.length > most) return null;
  const { rows } = await sql<Found>`
    select s.kind, e.id, s.name, e.state_code not in ${finished} as is_open, e.created_at as at
    from expresses e cross join lateral (values
      ('sender', e.sender_name, e.sender_phone),
      ('receive', e.receive_name, e.receive_phone)) s (kind, name, phone)
    where e.id = any(${keys.map(({ id }) => id)}::bigint[])
      and ${hasPhone('s.phone', whole)} and ${among(sql`s.name`, names)}`.execute(work.tx);
  return new Set(rows.map(({ id }) => id)).size > mostPersonParcels ? null : rows;
};

const contactsOf = async (work: Work, whole: WholePhone, names: Names): Promise<Found[] | null> => {
  const { number, extended } = whole;
  const phone =
    extended === null
      ? sql`phone collate "C" >= ${number} and phone collate "C" < ${`${number}.`}`
      : sql`phone collate "C" = ${extended}`;
  const { rows } = await sql<Found>`select 'contact' as kind, id, name, false as is_open,
      updated_at as at from contacts where ${phone} and ${among(sql`name`, names)}
    limit ${mostPersonContacts + 1}`.execute(work.tx);
  return rows.length > mostPersonContacts ? null : rows;
};

/**
 * Finds stations and accounts with the phone. Each has one name, and all are found if no names are
 * given.
 */
const peopleOf = async (work: Work, whole: WholePhone, names: Names): Promise<Found[]> => {
  const station = sql`coalesce(nullif(sender_name, ''), name)`;
  const account = sql`coalesce(nullif(nickname, ''), username)`;
  const { rows } = await sql<Found>`select 'station' as kind, id, ${station} as name,
      false as is_open, updated_at as at from stations
    where ${hasPhone('sender_phone', whole)} and ${among(station, names)}
    union all select 'account', id, ${account}, false, updated_at from accounts
    where ${hasPhone('phone', whole)} and ${among(account, names)}`.execute(work.tx);
  return rows;
};

/**
 * Finds everything with the phone, and with one of the names if any are given; null if there is
 * more than the limits.
 */
export const foundBy = async (
  work: Work,
  whole: WholePhone,
  names: Names,
): Promise<Found[] | null> => {
  const parcels = await parcelsOf(work, whole, names);
  const contacts = parcels && (await contactsOf(work, whole, names));
  return contacts && [...parcels, ...contacts, ...(await peopleOf(work, whole, names))];
};

interface Wanted {
  action: 'find_person' | 'export_person' | 'preview_erasure' | 'request_erasure';
  phone: string;
  reason: string;
  names: Names;
}

/**
 * Counts and records a search for a person, with the reason and a masked phone. Returns null if
 * there are too many results: the caller refuses the search after the count and the record are
 * committed.
 */
export const findAudited = async (
  app: App,
  work: UserWork,
  { action, phone, reason, names }: Wanted,
): Promise<Found[] | null> => {
  const whole = wholePhoneOf(phone);
  await countReveals(app, work, [whole.number]);
  const found = await foundBy(work, whole, names);
  const idsOf = (...kinds: Found['kind'][]): number =>
    new Set((found ?? []).filter(({ kind }) => kinds.includes(kind)).map(({ id }) => id)).size;
  await recordAudit(work, {
    action,
    subject: personalData,
    subject_id: null,
    reason,
    changes: {
      phone: [null, maskPhone(whole.extended ?? whole.number)],
      parcels: [null, idsOf('sender', 'receive')],
      contacts: [null, idsOf('contact')],
    },
  });
  return found;
};

export const tooMany = (): never => fail('person_too_many', { limit: mostPersonParcels });

export const find = async (
  app: App,
  actor: Actor,
  { name, ...input }: ParsedOf<typeof findPerson>,
  request: RequestContext,
): Promise<OutputOf<typeof findPerson>> => {
  const found =
    (await app.db.tx(callerOf(actor, request), (work) =>
      findAudited(app, work, {
        ...input,
        names: name === undefined ? undefined : [name],
        action: 'find_person',
      }),
    )) ?? tooMany();
  const names = [...Map.groupBy(found, (row) => row.name)]
    .map(([of, rows]) => {
      const count = (wanted: Found['kind']) => rows.filter(({ kind }) => kind === wanted).length;
      return {
        name: of,
        sent: count('sender'),
        received: count('receive'),
        open: new Set(rows.filter(({ is_open }) => is_open).map(({ id }) => id)).size,
        contacts: count('contact'),
        stations: count('station'),
        accounts: count('account'),
        newest_at: new Date(Math.max(...rows.map(({ at }) => at.getTime()))).toISOString(),
      };
    })
    .toSorted((one, other) => (one.newest_at < other.newest_at ? 1 : -1));
  return {
    names: names.slice(0, mostPersonNames),
    more: Math.max(names.length - mostPersonNames, 0),
    erased: name === undefined ? [] : await erasedAt(app, input.phone, name),
  };
};

/** The parameters of the job: only ids of rows, and nothing about the person. */
export interface PersonJob {
  senders: number[];
  receivers: number[];
  contacts: number[];
  /** The stations whose sender is the person. */
  senders_of?: number[];
  accounts?: number[];
  language: 'zh' | 'en';
}

export const start = async (
  app: App,
  actor: Actor,
  { language = 'zh', ...input }: ParsedOf<typeof exportPerson>,
  request: RequestContext,
): Promise<OutputOf<typeof exportPerson>> => {
  const outcome = await app.db.tx(callerOf(actor, request), async (work) => {
    if (actor.may_export === 0) fail('export_not_allowed');
    const found = await findAudited(app, work, { ...input, action: 'export_person' });
    if (found === null || found.length === 0) return found;
    const idsOf = (wanted: Found['kind']): number[] =>
      found.filter(({ kind }) => kind === wanted).map(({ id }) => id);
    const params: PersonJob = {
      senders: idsOf('sender'),
      receivers: idsOf('receive'),
      contacts: idsOf('contact'),
      senders_of: idsOf('station'),
      accounts: idsOf('account'),
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
  if (outcome === null) return tooMany();
  return 'job_id' in outcome ? outcome : fail('person_not_found');
};
