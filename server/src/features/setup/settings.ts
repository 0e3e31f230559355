import type { OutputOf, ParsedOf } from '@waystation/contract/base/endpoint.ts';
import type { Params, Reason } from '@waystation/contract/base/envelope.ts';
import type { ErrorCode } from '@waystation/contract/base/errors.ts';
import type * as calls from '@waystation/contract/shell/setting-calls.ts';
import type { SettingRaise, SettingRow } from '@waystation/contract/shell/setting-calls.ts';
import { settingSchema } from '@waystation/contract/shell/settings.schema.ts';
import { settingNames, settings } from '@waystation/contract/shell/settings.ts';
import type { AnySettingValue, Setting, SettingName } from '@waystation/contract/shell/settings.ts';
import { firstOf } from '@waystation/contract/base/present.ts';
import type { App } from '#app.ts';
import { closeAlertOf, raiseAlert } from '#domain/alerts/alerts.ts';
import {
  executableAt,
  independentApprovers,
  setupDays,
} from '#domain/second-person/second-person.ts';
import { recordAudit, recordSystemAudit } from '#platform/audit.ts';
import type { AuditEntry } from '#platform/audit.ts';
import type { Actor } from '#platform/auth/actor.ts';
import { requireSession } from '#platform/auth/no-keys.ts';
import { twoFactorOf } from '#platform/auth/two-factor.ts';
import { businessTime } from '#platform/clock.ts';
import { callerOf, jsonText, sql } from '#platform/db/db.ts';
import type { ReaderWork, RowOf, UserWork, Work } from '#platform/db/db.ts';
import { lockRow } from '#platform/db/rows.ts';
import { systemScope } from '#platform/db/scope.ts';
import { fail, failFields } from '#platform/fail.ts';
import type { RequestContext } from '#platform/http/context.ts';
import { feeCodesIn, readSetting, readSettings } from '#platform/settings.ts';

type Raise = RowOf<'setting_raises'> & { name: SettingName };

const alertOf = (id: number): string => `limit_raise_waits:${id}`;

const rowsOf = async (work: Work, names: readonly SettingName[]): Promise<SettingRow[]> => {
  const { rows } = await sql<{
    name: SettingName;
    version: number;
    updated_at: Date | null;
    username: string | null;
    raise:
      | (Omit<SettingRaise, 'at' | 'effective_at'> & { at: string; effective_at: string })
      | null;
  }>`
    select n.name, coalesce(s.version, 0) as version, s.updated_at, a.username,
      case when r.id is not null then jsonb_build_object('id', r.id, 'amount_after',
        r.amount_after, 'account_id', r.account_id, 'username', b.username,
        'at', r.at, 'effective_at', r.effective_at) end as raise
    from unnest(${names as SettingName[]}::text[]) with ordinality n (name, no) left
      join settings s on s.name = n.name left join accounts a on a.id = s.account_id
      left join setting_raises r on r.name = n.name and r.status = 'waiting' left
        join accounts b on b.id = r.account_id order by n.no`.execute(work.tx);
  const shown: SettingRow[] = [];
  for (const { name, updated_at, raise, ...row } of rows)
    shown.push({
      name,
      ...row,
      value: (await readSetting(work, name)) as SettingRow['value'],
      updated_at: updated_at?.toISOString() ?? null,
      raise: raise && {
        ...raise,
        at: new Date(raise.at).toISOString(),
        effective_at: new Date(raise.effective_at).toISOString(),
      },
    });
  return shown;
};

export const list = (app: App, actor: Actor): Promise<{ items: SettingRow[] }> =>
  app.db.tx(callerOf(actor), async (work) => ({ items: await rowsOf(work, settingNames) }));

export const limits = (app: App, actor: Actor): Promise<OutputOf<typeof calls.moneyLimits>> =>
  app.db.tx(callerOf(actor), readSettings);

export const paymentAccount = (
  app: App,
  actor: Actor,
): Promise<OutputOf<typeof calls.paymentAccount>> =>
  app.db.tx(callerOf(actor), async (work) => {
    const row = await work.tx
      .selectFrom('settings')
      .select('updated_at')
      .where('name', '=', 'payment_account')
      .executeTakeFirst();
    return {
      text: await readSetting(work, 'payment_account'),
      updated_at: row?.updated_at.toISOString() ?? null,
    };
  });

/**
 * Raises an alert about a changed payment account, so that nobody can redirect the network's money
 * unnoticed.
 */
const announcePaymentAccount = (work: ReaderWork, version: number): Promise<unknown> =>
  raiseAlert(work, {
    code: 'payment_account_changed',
    params: { account: work.actor.username },
    account_id: work.actor.account_id,
    key: `payment_account_changed:${version}`,
  });

/** The limit of characters of fee codes in an alert. */
const mostCodeText = 120;

/** The fee codes that fit into an alert; an ellipsis replaces the others. */
const fittingCodes = (codes: readonly string[]): string => {
  const text = codes.join(', ');
  if (text.length <= mostCodeText) return text;
  const end = text.lastIndexOf(', ', mostCodeText);
  return end < 0 ? `${text.slice(0, mostCodeText)}…` : `${text.slice(0, end)}, …`;
};

/**
 * Raises an alert about fee codes that one person has added, because their fees are posted without
 * a decision.
 */
const announceFeeCodes = async (
  work: ReaderWork,
  version: number,
  [before, after]: readonly [AnySettingValue, AnySettingValue],
): Promise<void> => {
  const known = feeCodesIn(before as string);
  const added = [...feeCodesIn(after as string)].filter((code) => !known.has(code));
  if (added.length === 0) return;
  await raiseAlert(work, {
    code: 'fee_codes_added',
    params: {
      account: work.actor.username,
      codes: fittingCodes(added),
      count: added.length,
    },
    account_id: work.actor.account_id,
    key: `fee_codes_added:${version}`,
  });
};

const store = async (
  work: Work,
  name: SettingName,
  value: AnySettingValue,
  { by, at }: { by: number; at: Date },
): Promise<void> => {
  await sql`insert into settings (name, value, updated_at, account_id)
    values (${name}, ${jsonText(value)}::jsonb, ${at}, ${by})
    on conflict (name) do update set value = excluded.value, updated_at = excluded.updated_at,
      account_id = excluded.account_id, version = settings.version + 1`.execute(work.tx);
};

/** Ends a raise of a limit that still waits. */
const endRaise = async (
  work: Work,
  raise: Pick<Raise, 'id'>,
  status: 'applied' | 'confirmed' | 'cancelled',
  { by, at }: { by: number | null; at: Date },
): Promise<void> => {
  await work.tx
    .updateTable('setting_raises')
    .set({ status, decided_by: by, decided_at: at })
    .where('id', '=', raise.id)
    .execute();
  if (status !== 'applied') await closeAlertOf(work, alertOf(raise.id), at);
};

const waitingRaise = (work: Work, name: SettingName): Promise<Raise | undefined> =>
  work.tx
    .selectFrom('setting_raises')
    .selectAll()
    .where('name', '=', name)
    .where('status', '=', 'waiting')
    .forUpdate()
    .$narrowType<{ name: SettingName }>()
    .executeTakeFirst();

/** Locks a setting, so that only one change runs at a time, even if the setting has no row. */
const lockSetting = async (work: Work, name: SettingName): Promise<void> => {
  await sql`select pg_advisory_xact_lock(hashtextextended('setting ' || ${name},
    0))`.execute(work.tx);
};

const checked = (name: SettingName, value: unknown): AnySettingValue => {
  const parsed = settingSchema(name).safeParse(value);
  if (parsed.success) return parsed.data;
  const { min, max } = settings[name] as Setting & { min?: number; max?: number };
  const code = firstOf(parsed.error.issues).message;
  const reason: Reason = {
    code: ['too_small', 'too_big', 'integer', 'province_code'].includes(code) ? code : 'invalid',
    ...(max !== undefined && { params: { min: min!, max } }),
  };
  return failFields({ value: reason });
};

/**
 * Fails unless the actor has two-factor authentication, so that users cannot set a duty that blocks
 * themselves. Locks the account, so that its two-factor authentication stays meanwhile.
 */
const requireOwnSecondFactor = async (work: UserWork): Promise<void> => {
  const { account_id } = work.actor;
  await lockRow(work, 'accounts', account_id);
  const factor = await twoFactorOf(work, account_id);
  if (!factor?.confirmed_at) failFields({ value: { code: 'second_factor_own_first' } });
};

export const edit = (
  app: App,
  actor: Actor,
  { name, version, value: entered }: ParsedOf<typeof calls.editSetting>,
  request: RequestContext,
): Promise<SettingRow> =>
  app.db.tx(callerOf(actor, request), async (work) => {
    const value = checked(name, entered);
    await lockSetting(work, name);
    if (name === 'second_factor_for' && value !== 'nobody') await requireOwnSecondFactor(work);
    const [current] = (await rowsOf(work, [name])) as [SettingRow];
    if (current.version !== version) fail('version_conflict', {}, { current });
    const meta = { by: actor.account_id, at: app.clock.now() };
    const waiting = await waitingRaise(work, name);
    if (waiting) await endRaise(work, waiting, 'cancelled', meta);
    const before = current.value as AnySettingValue;
    const waits = needsSecondPerson(name, before, value);
    if (waits)
      await askRaise(work, name, { before: before as number, after: value as number }, meta);
    else if (JSON.stringify(before) !== JSON.stringify(value)) {
      await store(work, name, value, meta);
      if (name === 'payment_account') await announcePaymentAccount(work, version);
      if (name === 'known_fee_codes') await announceFeeCodes(work, version, [before, value]);
    }
    await recordAudit(work, {
      action: waits ? `request_${changeOf(name)}` : 'edit',
      subject: 'settings',
      subject_id: null,
      changes: JSON.stringify(before) === JSON.stringify(value) ? {} : { [name]: [before, value] },
    });
    return firstOf(await rowsOf(work, [name]));
  });

/**
 * True if a change must be approved by a second person, or else waits 24 hours: a raised money
 * limit, or fewer days of stored evidence.
 */
const needsSecondPerson = (
  name: SettingName,
  before: AnySettingValue,
  after: AnySettingValue,
): boolean => {
  const { moneyLimit, evidence } = settings[name] as { moneyLimit?: true; evidence?: true };
  return (
    (moneyLimit === true && (after as number) > (before as number)) ||
    (evidence === true && (after as number) < (before as number))
  );
};

/** The word for a setting's waiting change in the names of audit actions. */
const changeOf = (name: SettingName): 'raise' | 'cut' =>
  'evidence' in settings[name] ? 'cut' : 'raise';

/** The alert about a waiting change, with the values before and after in the setting's unit. */
const raiseWaits = (
  name: SettingName,
  before: number,
  after: number,
): { code: ErrorCode; params: Params } => {
  const { kind } = settings[name];
  if (changeOf(name) === 'cut')
    return { code: 'shorter_retention_waits', params: { before, after } };
  if (kind === 'fen')
    return {
      code: 'limit_raise_waits',
      params: { before_amount: before, after_amount: after },
    };
  return kind === 'grams'
    ? { code: 'weight_limit_raise_waits', params: { before_weight: before, after_weight: after } }
    : { code: 'count_limit_raise_waits', params: { before, after } };
};

const askRaise = async (
  work: Work,
  name: SettingName,
  { before, after }: { before: number; after: number },
  { by, at }: { by: number; at: Date },
): Promise<void> => {
  const effective_at = executableAt(at);
  const row = await work.tx
    .insertInto('setting_raises')
    .values({ name, amount_before: before, amount_after: after, account_id: by, at, effective_at })
    .returning('id')
    .executeTakeFirstOrThrow();
  const waits = raiseWaits(name, before, after);
  await raiseAlert(work, {
    code: waits.code,
    params: {
      ...waits.params,
      raise_id: row.id,
      name_zh: settings[name].zh,
      name_en: settings[name].en,
      time: businessTime(effective_at),
    },
    account_id: by,
    key: alertOf(row.id),
  });
};

const lockRaise = async (work: Work, id: number): Promise<Raise> => {
  const row = await work.tx
    .selectFrom('setting_raises')
    .select('name')
    .where('id', '=', id)
    .$narrowType<{ name: SettingName }>()
    .executeTakeFirst();
  if (!row) return fail('not_found');
  await lockSetting(work, row.name);
  const waiting = await waitingRaise(work, row.name);
  return waiting?.id === id ? waiting : fail('raise_not_waiting');
};

const entryOf = (
  verb: 'confirm' | 'cancel' | 'apply',
  { id, name, amount_before, amount_after }: Raise,
): AuditEntry => ({
  action: `${verb}_${changeOf(name)}`,
  subject: 'settings',
  subject_id: id,
  changes: { [name]: [amount_before, amount_after] },
});

export const confirm = (
  app: App,
  actor: Actor,
  { id }: ParsedOf<typeof calls.confirmRaise>,
  request: RequestContext,
): Promise<{ id: number }> =>
  app.db.tx(callerOf(actor, request), async (work) => {
    requireSession(actor);
    const raise = await lockRaise(work, id);
    const meta = { by: actor.account_id, at: app.clock.now() };
    if (raise.account_id === actor.account_id) fail('second_person_required');
    if (!(await independentApprovers(work, raise)).includes(actor.account_id))
      fail('second_person_tied', { days: setupDays });
    await store(work, raise.name, raise.amount_after, meta);
    await endRaise(work, raise, 'confirmed', meta);
    await recordAudit(work, entryOf('confirm', raise));
    return { id };
  });

export const cancel = (
  app: App,
  actor: Actor,
  { id }: ParsedOf<typeof calls.cancelRaise>,
  request: RequestContext,
): Promise<{ id: number }> =>
  app.db.tx(callerOf(actor, request), async (work) => {
    const raise = await lockRaise(work, id);
    await endRaise(work, raise, 'cancelled', { by: actor.account_id, at: app.clock.now() });
    await recordAudit(work, entryOf('cancel', raise));
    return { id };
  });

/** Task, every minute: puts waiting changes of settings into effect after their 24 hours. */
export const applyRaises = async (app: App): Promise<void> => {
  const at = app.clock.now();
  await app.db.tx(systemScope('raised limits'), async (work) => {
    const { rows } = await sql<Raise>`select * from setting_raises where status = 'waiting'
        and effective_at <= ${at} order by id for update skip locked`.execute(work.tx);
    for (const raise of rows) {
      await store(work, raise.name, raise.amount_after, { by: raise.account_id, at });
      await endRaise(work, raise, 'applied', { by: null, at });
      await recordSystemAudit(work, entryOf('apply', raise));
    }
  });
};
