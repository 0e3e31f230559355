import type { OutputOf, ParsedOf } from '@waystation/contract/base/endpoint.ts';
import { maskPhone } from '@waystation/contract/parcels/phone.ts';
import { mostEndedErasures, mostOpenErasures } from '@waystation/contract/people/erasure.ts';
import type * as calls from '@waystation/contract/people/erasure.ts';
import type { Erasure, ErasurePreview } from '@waystation/contract/people/erasure.ts';
import { personalData } from '@waystation/contract/people/personal-data.ts';
import type { App } from '#app.ts';
import { independentApprovers, setupDays } from '#domain/second-person/second-person.ts';
import { recordAudit } from '#platform/audit.ts';
import type { Actor } from '#platform/auth/actor.ts';
import { requireSession } from '#platform/auth/no-keys.ts';
import { clearAttempt } from '#platform/auth/login-throttle.ts';
import { callerOf, jsonText, oneRow, sql } from '#platform/db/db.ts';
import type { RowOf, UserWork, Work } from '#platform/db/db.ts';
import { systemScope } from '#platform/db/scope.ts';
import { fail } from '#platform/fail.ts';
import type { RequestContext } from '#platform/http/context.ts';
import { addJob } from '#platform/jobs/jobs.ts';
import { openImportOf } from './erase-imports.ts';
import { countsOf, erasePersonTask } from './erase-person.ts';
import { blockedOf } from './erase-step.ts';
import { printsOf, saltOf } from './fingerprints.ts';
import type { Prints } from './fingerprints.ts';
import { findAudited, foundBy, tooMany, wholePhoneOf } from './personal-data.ts';
import type { Found } from './personal-data.ts';
import { attemptOf, proveCodeIfOn, provePassword, requireStillProved } from './proof.ts';

interface Rows {
  senders: number[];
  receivers: number[];
  contacts: number[];
}

/** The rows that an erasure blanks. Stations and accounts are not blanked. */
const rowsOf = (found: readonly Found[]): Rows => {
  const idsOf = (wanted: Found['kind']): number[] =>
    found.filter(({ kind }) => kind === wanted).map(({ id }) => id);
  return { senders: idsOf('sender'), receivers: idsOf('receive'), contacts: idsOf('contact') };
};

const parcelsOf = ({ senders, receivers }: Omit<Rows, 'contacts'>): number[] => [
  ...new Set([...senders, ...receivers]),
];

/**
 * True if there is something to erase and each given name was found. An unknown name would be
 * searched in texts, where it may be an ordinary word.
 */
const haveAll = (found: readonly Found[], names: readonly string[]): boolean =>
  found.some(({ kind }) => kind !== 'station' && kind !== 'account') &&
  names.every((wanted) => found.some(({ name }) => name === wanted));

export const preview = async (
  app: App,
  actor: Actor,
  input: ParsedOf<typeof calls.previewErasure>,
  request: RequestContext,
): Promise<ErasurePreview> => {
  const shown = await app.db.tx(callerOf(actor, request), async (work) => {
    const found = await findAudited(app, work, { ...input, action: 'preview_erasure' });
    if (found === null) return { code: 'person_too_many' as const };
    if (!haveAll(found, input.names)) return { code: 'person_not_found' as const };
    const rows = rowsOf(found);
    const parcels = parcelsOf(rows);
    return {
      counts: await countsOf(work, { parcels, contacts: rows.contacts }),
      ...(await blockedOf(work, parcels, app.clock.now())),
    };
  });
  if (!('code' in shown)) return shown;
  return shown.code === 'person_too_many' ? tooMany() : fail(shown.code);
};

/**
 * Checks the caller's password, and a code if two-factor authentication is on; returns the hash for
 * `requireStillProved`.
 */
const prove = async (
  app: App,
  actor: Actor,
  { password, otp = '' }: { password: string; otp?: string | undefined },
  request: RequestContext,
): Promise<string> => {
  const now = app.clock.now();
  const attempt = attemptOf(actor, request, now);
  const stored = await provePassword(app, actor, attempt, { field: 'password', password });
  await app.db.tx(systemScope('own account'), async (work) => {
    await proveCodeIfOn(work, app, { account_id: actor.account_id, otp, now });
    await clearAttempt(work, attempt);
  });
  return stored;
};

const stillProved = (work: Work, actor: Actor, stored: string): Promise<void> =>
  work.asSystem('the account that decides', (system) => requireStillProved(system, actor, stored));

/**
 * True if another erasure may be requested: fewer than `mostOpenErasures` are open, and none of
 * them is for the same person.
 */
const isRoom = async (work: Work, fingerprints: string[]): Promise<boolean> => {
  const { open, same } = await oneRow(
    work,
    sql<{ open: number; same: boolean }>`select count(*)::int as open,
      coalesce(bool_or(fingerprints && ${fingerprints}::text[]), false) as same
      from erasures where status in ('waiting', 'running')`,
  );
  return !same && open < mostOpenErasures;
};

/**
 * The result of requesting an erasure. A refusal is thrown only after its audit entry was
 * committed.
 */
type Outcome =
  | { id: number }
  | { code: 'person_too_many' | 'person_not_found' | 'erasure_open' }
  | { code: 'erasure_blocked'; params: { count: number } }
  | { code: 'erasure_import_open'; params: { id: number } };

const requestIn = async (
  work: UserWork,
  found: readonly Found[] | null,
  {
    now,
    prints,
    ...input
  }: {
    account_id: number;
    phone: string;
    names: string[];
    reason: string;
    now: Date;
    prints: Prints;
  },
): Promise<Outcome> => {
  if (found === null) return { code: 'person_too_many' };
  if (!haveAll(found, input.names)) return { code: 'person_not_found' };
  const rows = rowsOf(found);
  const parcels = parcelsOf(rows);
  const { blocked, more } = await blockedOf(work, parcels, now);
  if (blocked.length > 0)
    return { code: 'erasure_blocked', params: { count: blocked.length + more } };
  const open = await openImportOf(work, input, parcels);
  if (open !== null) return { code: 'erasure_import_open', params: { id: open } };
  await sql`select pg_advisory_xact_lock(hashtextextended('erasures', 0))`.execute(work.tx);
  // Concurrent requests for the first erasures may each have made a new salt. Only the stored salt
  // is valid.
  const salt = await saltOf(work, prints.salt);
  const { fingerprints } =
    salt === prints.salt ? prints : await printsOf(salt, input.phone, input.names);
  if (!(await isRoom(work, fingerprints))) return { code: 'erasure_open' };
  const counts = await countsOf(work, { parcels, contacts: rows.contacts });
  const { account_id, ...person } = input;
  const wanted = { ...person, ...rows, salt, fingerprints, counts };
  return oneRow(
    work,
    sql<{ id: number }>`select erasure_request(${account_id}, ${jsonText(wanted)}::jsonb) as id`,
  );
};

export const request = async (
  app: App,
  actor: Actor,
  { password, otp, ...input }: ParsedOf<typeof calls.requestErasure>,
  origin: RequestContext,
): Promise<{ id: number }> => {
  const stored = await prove(app, actor, { password, otp }, origin);
  const whole = wholePhoneOf(input.phone);
  const phone = whole.extended ?? whole.number;
  const names = [...new Set(input.names)];
  const salt = await app.db.tx(systemScope('earlier erasures'), (work) => saltOf(work));
  const prints = await printsOf(salt, phone, names);
  const outcome = await app.db.tx(callerOf(actor, origin), async (work) => {
    await stillProved(work, actor, stored);
    const found = await findAudited(app, work, { ...input, names, action: 'request_erasure' });
    return requestIn(work, found, {
      account_id: actor.account_id,
      phone,
      names,
      reason: input.reason,
      now: app.clock.now(),
      prints,
    });
  });
  if ('id' in outcome) return outcome;
  if (outcome.code === 'person_too_many') return tooMany();
  return 'params' in outcome ? fail(outcome.code, outcome.params) : fail(outcome.code);
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

/** Locks an erasure request; fails if it is no longer pending. */
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
  const stored = await prove(app, actor, proof, origin);
  return app.db.tx(callerOf(actor, origin), async (work) => {
    await stillProved(work, actor, stored);
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
    const open = await openImportOf(work, erasure, parcelsOf(rows));
    if (open !== null) fail('erasure_import_open', { id: open });
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
