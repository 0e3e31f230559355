import type { Contact } from '@waystation/contract/people/contact.ts';
import { calls as bulkCalls } from '@waystation/contract/shell/bulk.schema.ts';
import { calls } from '@waystation/contract/people/contact.schema.ts';
import { contactKinds } from '@waystation/contract/people/contact.ts';
import type { ParsedOf } from '@waystation/contract/base/endpoint.ts';
import { mostContacts } from '@waystation/contract/base/limits.ts';
import { phoneText, readPhone } from '@waystation/contract/parcels/phone.ts';
import type { Reason } from '@waystation/contract/base/envelope.ts';
import type { App } from '#app.ts';
import type { FeaturePart } from '#feature.ts';
import { placeOf } from '#domain/address/address.ts';
import { stationFor } from '#domain/offers/offers.ts';
import { countReveals } from '#domain/phone-search/phone-search.ts';
import {
  columnsOf as exported,
  joined,
  namesIn,
  onOff,
  switches,
  words,
} from '#domain/user-jobs/user-jobs.ts';
import { recordAudit } from '#platform/audit.ts';
import { auditedChange, auditedInsert, auditedStatus } from '#platform/audited-change.ts';
import type { AuditedTable } from '#platform/audited-change.ts';
import type { Actor } from '#platform/auth/actor.ts';
import { inOwnTx } from '#platform/auth/own-tx.ts';
import { callerOf, oneRow, sql } from '#platform/db/db.ts';
import type { ReaderWork, RowOf, UserWork, Work } from '#platform/db/db.ts';
import { getRow } from '#platform/db/rows.ts';
import { scopeCondition } from '#platform/db/scope.ts';
import { fail, failFields } from '#platform/fail.ts';
import type { RequestContext } from '#platform/http/context.ts';
import { listSource } from '#platform/http/list-walk.ts';
import { route } from '#platform/http/route.ts';
import type { Row, Named } from './contact-rows.ts';
import { entries, owned, seen, list, counts, walk } from './contact-rows.ts';

const audited: AuditedTable<'contacts'> = {
  table: 'contacts',
  audited: [
    'station_id',
    'kind',
    'name',
    'phone',
    'province',
    'city',
    'county',
    'address',
    'status',
  ],
  stationOf: ({ station_id }) => station_id,
};

const one = async (work: ReaderWork, id: number): Promise<Contact> =>
  seen(work.actor, await getRow<Named>(work, entries, id, [owned(work)]));

export const get = (
  app: App,
  actor: Actor,
  { id }: ParsedOf<typeof calls.getContact>,
): Promise<Contact> => app.db.tx(callerOf(actor), (work) => one(work, id));

/**
 * Fails if the address book is full, so that a limited number of entries is read completely.
 * Simultaneous additions may exceed the limit by a few entries.
 */
const assertRoom = async (work: Work, station_id: number): Promise<void> => {
  const entries = sql`select 1 from contacts where station_id = ${station_id}
    and ${scopeCondition(work, 'station_id')} limit ${mostContacts}`;
  const { n } = await oneRow(
    work,
    sql<{ n: number }>`select count(*) as n
    from (${entries}) x`,
  );
  if (n >= mostContacts) fail('contact_too_many', { limit: mostContacts });
};

type Written = Pick<Row, 'phone' | 'province' | 'city' | 'county' | 'address'>;

/**
 * Returns the phone in its canonical form and the official names of the place. Fails at every wrong
 * field at once.
 */
const checked = (fields: Written): Written => {
  const problems: Record<string, Reason> = {};
  const read = readPhone(fields.phone);
  if (!read.ok) problems['phone'] = { code: read.code };
  const place = placeOf(fields.province, fields.city, fields.county);
  if ('problem' in place) problems[place.field] = place.problem;
  if (!read.ok || 'problem' in place) return failFields(problems);
  const { province, city, county, town } = place;
  // A town that was given as the county of a city without counties becomes a part of the address.
  const address = town && !fields.address.startsWith(town) ? town + fields.address : fields.address;
  return { phone: phoneText(read.phone), province, city, county, address };
};

export const create = (
  app: App,
  actor: Actor,
  input: ParsedOf<typeof calls.createContact>,
  request: RequestContext,
): Promise<Contact> => {
  const caller = callerOf(actor, request);
  return app.db.tx(caller, async (work) => {
    const station = await stationFor(work, actor, input.station_id);
    const { phone, province, city, county, address } = checked(input);
    const { rows: same } = await sql<
      RowOf<'contacts', 'id'>
    >`select id from contacts where station_id = ${station.id}
      and ${scopeCondition(work, 'station_id')} and status = 1
      and (kind, name, phone, province, city, county, address) = (${input.kind},
        ${input.name}, ${phone}, ${province}, ${city}, ${county}, ${address})
      order by id limit 1`.execute(work.tx);
    if (same[0]) return one(work, same[0].id);
    await assertRoom(work, station.id);
    const values = {
      station_id: station.id,
      kind: input.kind,
      name: input.name,
      phone,
      province,
      city,
      county,
      address,
    };
    const { id } = await auditedInsert(work, audited, { values });
    return one(work, id);
  });
};

export const edit = (
  app: App,
  actor: Actor,
  { id, version, ...values }: ParsedOf<typeof calls.editContact>,
  request: RequestContext,
): Promise<Contact> => {
  const caller = callerOf(actor, request);
  return app.db.tx(caller, async (work) => {
    const named = Object.fromEntries(
      Object.entries(values).filter(([, value]) => value !== undefined),
    );
    await auditedChange(work, audited, {
      id,
      version,
      action: 'edit',
      within: [owned(work)],
      // A conflict returns the current version as this reader may see it.
      current: () => one(work, id),
      columns: (before) => ({ ...named, ...checked({ ...before, ...named }) }),
    });
    return one(work, id);
  });
};

/** Enables or disables one row in the caller's transaction; a bulk action calls it for each row. */
export const setStatusInTx = async (
  _app: App,
  work: UserWork,
  { id, status }: ParsedOf<typeof calls.setContactStatus>,
): Promise<Contact> => {
  await auditedStatus(work, audited, {
    id,
    status,
    within: [owned(work)],
  });
  return one(work, id);
};

export const switchStatus = inOwnTx(setStatusInTx);

export const reveal = (
  app: App,
  actor: Actor,
  { id }: ParsedOf<typeof calls.revealContact>,
  request: RequestContext,
): Promise<{ phone: string }> => {
  const caller = callerOf(actor, request);
  return app.db.tx(caller, async (work) => {
    const { phone, station_id } = await getRow<Named>(work, entries, id, [owned(work)]);
    if (actor.station_id !== station_id) await countReveals(app, work, [phone]);
    await recordAudit(work, {
      action: 'reveal',
      subject: 'contacts',
      subject_id: id,
      station_id,
    });
    return { phone };
  });
};

export const contacts: FeaturePart = {
  routes: [
    route(calls.listContacts, list),
    route(calls.countContacts, counts),
    route(calls.getContact, get),
    route(calls.createContact, create),
    route(calls.editContact, edit),
    route(calls.setContactStatus, switchStatus),
    route(calls.revealContact, reveal),
  ],
  exports: {
    contacts: {
      source: listSource(calls.listContacts, list, counts, walk),
      columns: {
        ...exported('text', 'name phone province city county address station_name'),
        ...exported('number', 'id station_id'),
        ...exported('time', 'created_at updated_at'),
        kind: words('kind', contactKinds),
        place: joined(['province', 'city', 'county']),
        status: onOff,
      },
    },
  },
  bulk: {
    contacts: {
      endpoint: bulkCalls.bulkContacts,
      source: listSource(calls.listContacts, list, counts, walk),
      nameOf: namesIn('contacts', 'name', 'station_id'),
      actions: switches(setStatusInTx, 'contacts', 'station_id'),
    },
  },
};
