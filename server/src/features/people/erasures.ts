import type { OutputOf, ParsedOf } from '@waystation/contract/base/endpoint.ts';
import { maskPhone } from '@waystation/contract/parcels/phone.ts';
import {
  mostBlockedParcels,
  mostEndedErasures,
  mostOpenErasures,
} from '@waystation/contract/people/erasure.ts';
import type * as calls from '@waystation/contract/people/erasure.ts';
import type { Erasure, ErasurePreview } from '@waystation/contract/people/erasure.ts';
import { personalData } from '@waystation/contract/people/personal-data.ts';
import type { App } from '#app.ts';
import { independentApprovers, setupDays } from '#domain/second-person/second-person.ts';
import { recordAudit } from '#platform/audit.ts';
import type { Actor } from '#platform/auth/actor.ts';
import { requireSession } from '#platform/auth/no-keys.ts';
import { clearAttempt } from '#platform/auth/login-throttle.ts';
import { daysBefore } from '#platform/clock.ts';
import { callerOf, jsonText, oneRow, sql } from '#platform/db/db.ts';
import type { RowOf, UserWork, Work } from '#platform/db/db.ts';
import { systemScope } from '#platform/db/scope.ts';
import { fail } from '#platform/fail.ts';
import type { RequestContext } from '#platform/http/context.ts';
import { addJob } from '#platform/jobs/jobs.ts';
import { readSetting } from '#platform/settings.ts';
import { countsOf, erasePersonTask } from './erase-person.ts';
import { fingerprintOf, saltOf } from './fingerprints.ts';
import { findAudited, finished, foundBy, tooMany, wholePhoneOf } from './personal-data.ts';
import type { Found } from './personal-data.ts';
import { attemptOf, proveCodeIfOn, provePassword } from './proof.ts';

interface Rows {
  senders: number[];
  receivers: number[];
  contacts: number[];
}

/** The rows that an erasure blanks; the network's own people stay. */
const rowsOf = (found: readonly Found[]): Rows => {
  const idsOf = (wanted: Found['kind']): number[] =>
    found.filter(({ kind }) => kind === wanted).map(({ id }) => id);
  return { senders: idsOf('sender'), receivers: idsOf('receive'), contacts: idsOf('contact') };
};

const parcelsOf = ({ senders, receivers }: Omit<Rows, 'contacts'>): number[] => [
  ...new Set([...senders, ...receivers]),
];

/** Parcels that prevent an erasure, those that are not finished first. */
const blockedOf = async (
  work: Work,
  parcels: readonly number[],
  now: Date,
): Promise<Pick<ErasurePreview, 'blocked' | 'more'>> => {
  const days = await readSetting(work, 'erase_after_days');
  const { rows } = await sql<{ number: string; at: Date | null }>`
    select coalesce(p.delivery_id, p.order_id) as number,
      case when p.done then p.ended_at + make_interval(days => ${days}) end as at
    from (select e.delivery_id, e.order_id, express_ended_at(e) as ended_at,
        e.state_code in ${finished} and e.modifying = 0
          and e.held_status is distinct from 'open' as done
      from expresses e where e.id = any(${[...parcels]}::bigint[])) p
    where not p.done or p.ended_at > ${daysBefore(now, days)}
    order by at nulls first, number`.execute(work.tx);
  return {
    blocked: rows
      .slice(0, mostBlockedParcels)
      .map(({ number, at }) => ({ number, at: at && at.toISOString() })),
    more: Math.max(rows.length - mostBlockedParcels, 0),
  };
};

/** Fails while an import that has not ended has the person: its rows may still become parcels. */
const requireNoOpenImport = async (work: Work, phone: string, names: string[]): Promise<void> => {
  const { rows } = await sql<{ id: number }>`select i.id from imports i
    where i.status not in ('done', 'cancelled', 'failed') and exists (select 1 from import_rows r
      where r.import_id = i.id and erasure_in_text(jsonb_populate_record(null::erasures,
        jsonb_build_object('phone', ${phone}::text, 'names', ${names}::text[])),
        r.cells::text || r."values"::text)) limit 1`.execute(work.tx);
  const [open] = rows;
  if (open) fail('erasure_import_open', { id: open.id });
};

export const preview = async (
  app: App,
  actor: Actor,
  input: ParsedOf<typeof calls.previewErasure>,
  request: RequestContext,
): Promise<ErasurePreview> => {
  const shown = await app.db.tx(callerOf(actor, request), async (work) => {
    const found = await findAudited(app, work, { ...input, action: 'preview_erasure' });
    if (found === null) return null;
    const rows = rowsOf(found);
    const parcels = parcelsOf(rows);
    return {
      counts: await countsOf(work, { parcels, contacts: rows.contacts }),
      ...(await blockedOf(work, parcels, app.clock.now())),
    };
  });
  return shown ?? tooMany();
};

/** Checks the caller's password, and its code where it has one. */
const prove = async (
  app: App,
  actor: Actor,
  { password, otp = '' }: { password: string; otp?: string | undefined },
  request: RequestContext,
): Promise<void> => {
  const now = app.clock.now();
  const attempt = attemptOf(actor, request, now);
  await provePassword(app, actor, attempt, { field: 'password', password });
  await app.db.tx(systemScope('own account'), async (work) => {
    await proveCodeIfOn(work, app, { account_id: actor.account_id, otp, now });
    await clearAttempt(work, attempt);
  });
};

/** Fails where too many erasures are open, or one of the same person. Others wait meanwhile. */
const requireRoom = async (work: Work, fingerprints: string[]): Promise<void> => {
  const { open, same } = await oneRow(
    work,
    sql<{ open: number; same: boolean }>`select count(*)::int as open,
      coalesce(bool_or(fingerprints && ${fingerprints}::text[]), false) as same
      from erasures where status in ('waiting', 'running')`,
  );
  if (same || open >= mostOpenErasures) fail('erasure_open');
};

export const request = async (
  app: App,
  actor: Actor,
  { password, otp, ...input }: ParsedOf<typeof calls.requestErasure>,
  origin: RequestContext,
): Promise<{ id: number }> => {
  await prove(app, actor, { password, otp }, origin);
  const whole = wholePhoneOf(input.phone);
  const phone = whole.extended ?? whole.number;
  const names = [...new Set(input.names)];
  const outcome = await app.db.tx(callerOf(actor, origin), async (work) => {
    const found = await findAudited(app, work, { ...input, names, action: 'request_erasure' });
    const rows = found && rowsOf(found);
    if (rows === null || parcelsOf(rows).length + rows.contacts.length === 0) return rows;
    if (names.some((name) => !found!.some((one) => one.name === name))) return {};
    const parcels = parcelsOf(rows);
    const now = app.clock.now();
    const { blocked, more } = await blockedOf(work, parcels, now);
    if (blocked.length > 0) return { count: blocked.length + more };
    await requireNoOpenImport(work, phone, names);
    await sql`select pg_advisory_xact_lock(hashtextextended('erasures', 0))`.execute(work.tx);
    const salt = await saltOf(work);
    const fingerprints: string[] = [];
    for (const name of names) fingerprints.push(await fingerprintOf(salt, phone, name));
    await requireRoom(work, fingerprints);
    const counts = await countsOf(work, { parcels, contacts: rows.contacts });
    const { reason } = input;
    const wanted = { reason, phone, names, ...rows, salt, fingerprints, counts };
    return oneRow(
      work,
      sql<{ id: number }>`select erasure_request(${actor.account_id}, ${jsonText(wanted)}::jsonb)
        as id`,
    );
  });
  if (outcome === null) return tooMany();
  if ('count' in outcome) return fail('erasure_blocked', { count: outcome.count });
  return 'id' in outcome ? outcome : fail('person_not_found');
};

export const list = (app: App, actor: Actor): Promise<OutputOf<typeof calls.listErasures>> =>
  app.db.tx(callerOf(actor), async (work) => {
    type Row = RowOf<'erasures'> & { username: string; decider: string | null };
    const { rows } = await sql<Row>`select e.*, a.username, d.username as decider
      from ((select * from erasures where status in ('waiting', 'running')
          order by id desc limit ${mostOpenErasures})
        union all (select * from erasures where status in ('done', 'cancelled')
          order by id desc limit ${mostEndedErasures})) e
        join accounts a on a.id = e.account_id left join accounts d on d.id = e.decided_by
      order by e.status in ('waiting', 'running') desc, e.id desc`.execute(work.tx);
    return {
      items: rows.map((row): Erasure => ({
        id: row.id,
        status: row.status,
        username: row.username,
        at: row.at.toISOString(),
        reason: row.reason,
        phone: row.phone && maskPhone(row.phone),
        names: row.names,
        counts: row.counts,
        decided_by: row.decider,
        decided_at: row.decided_at && row.decided_at.toISOString(),
        done_at: row.done_at && row.done_at.toISOString(),
        mine: row.account_id === actor.account_id ? 1 : 0,
      })),
    };
  });

/** The erasure, locked, while it waits. */
const lockWaiting = async (work: UserWork, id: number) => {
  const { rows } = await sql<RowOf<'erasures'>>`select * from erasure_lock(${id})`.execute(work.tx);
  const erasure = rows[0] ?? fail('not_found');
  return erasure.status === 'waiting' && erasure.phone !== null
    ? { ...erasure, phone: erasure.phone }
    : fail('statement_not_pending');
};

const isSame = (one: readonly number[], other: readonly number[]): boolean =>
  one.length === other.length && new Set([...one, ...other]).size === new Set(one).size;

export const approve = async (
  app: App,
  actor: Actor,
  { id, ...proof }: ParsedOf<typeof calls.approveErasure>,
  origin: RequestContext,
): Promise<{ id: number }> => {
  await prove(app, actor, proof, origin);
  return app.db.tx(callerOf(actor, origin), async (work) => {
    const erasure = await lockWaiting(work, id);
    const now = app.clock.now();
    requireSession(actor);
    if (erasure.account_id === actor.account_id) fail('second_person_required');
    const { account_id, at } = erasure;
    if (
      !(await independentApprovers(work, { account_id, at: new Date(at) })).includes(
        actor.account_id,
      )
    )
      fail('second_person_tied', { days: setupDays });
    const found = await foundBy(work, wholePhoneOf(erasure.phone), erasure.names);
    const rows = rowsOf(found ?? []);
    for (const kind of ['senders', 'receivers', 'contacts'] as const)
      if (!isSame(rows[kind], erasure[kind])) fail('erasure_changed');
    const { blocked, more } = await blockedOf(work, parcelsOf(rows), now);
    if (blocked.length > 0) fail('erasure_blocked', { count: blocked.length + more });
    await requireNoOpenImport(work, erasure.phone, erasure.names);
    await sql`select erasure_approve(${id}, ${actor.account_id})`.execute(work.tx);
    await addJob(work, erasePersonTask, { erasure_id: id });
    await recordAudit(work, {
      action: 'approve_erasure',
      subject: personalData,
      subject_id: id,
      reason: erasure.reason,
    });
    return { id };
  });
};

export const cancel = (
  app: App,
  actor: Actor,
  { id }: ParsedOf<typeof calls.cancelErasure>,
  origin: RequestContext,
): Promise<{ id: number }> =>
  app.db.tx(callerOf(actor, origin), async (work) => {
    await lockWaiting(work, id);
    await sql`select erasure_cancel(${id}, ${actor.account_id})`.execute(work.tx);
    await recordAudit(work, { action: 'cancel_erasure', subject: personalData, subject_id: id });
    return { id };
  });
