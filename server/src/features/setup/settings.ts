import type { OutputOf, ParsedOf } from '@waystation/contract/endpoint.ts';
import type { Reason } from '@waystation/contract/envelope.ts';
import type * as calls from '@waystation/contract/setting-calls.ts';
import type { SettingRaise, SettingRow } from '@waystation/contract/setting-calls.ts';
import { settingSchema } from '@waystation/contract/settings.schema.ts';
import { settingNames, settings } from '@waystation/contract/settings.ts';
import type { AnySettingValue, Setting, SettingName } from '@waystation/contract/settings.ts';
import type { App } from '#app.ts';
import { closeAlertOf, raiseAlert } from '#domain/alerts/alerts.ts';
import { executableAt, independentApprovers, setupDays } from '#domain/second-person/second-person.ts';
import { recordAudit } from '#platform/audit.ts';
import { scopeOf } from '#platform/auth/actor.ts';
import type { Actor } from '#platform/auth/actor.ts';
import { businessTime } from '#platform/clock.ts';
import { jsonText, sql } from '#platform/db/db.ts';
import type { RowOf, Tx } from '#platform/db/db.ts';
import { systemScope } from '#platform/db/scope.ts';
import { fail, failFields } from '#platform/fail.ts';
import type { RequestContext } from '#platform/http/context.ts';
import { readSetting, readSettings } from '#platform/settings.ts';

type Raise = RowOf<'setting_raises'> & { name: SettingName };

const alertOf = (id: number): string => `limit_raise_waits:${id}`;

const rowsOf = async (tx: Tx, names: readonly SettingName[]): Promise<SettingRow[]> => {
  const { rows } = await sql<{
    name: SettingName;
    version: number;
    updated_at: Date | null;
    username: string | null;
    raise: (Omit<SettingRaise, 'at' | 'effective_at'> & { at: string; effective_at: string }) | null;
  }>`
    select n.name, coalesce(s.version, 0) as version, s.updated_at, a.username,
      case when r.id is not null then jsonb_build_object('id', r.id, 'amount_after', r.amount_after, 'account_id', r.account_id, 'username', b.username,
        'at', r.at, 'effective_at', r.effective_at) end as raise
    from unnest(${names as SettingName[]}::text[]) with ordinality n (name, no) left join settings s on s.name = n.name left join accounts a on a.id = s.account_id
      left join setting_raises r on r.name = n.name and r.status = 'waiting' left join accounts b on b.id = r.account_id order by n.no`.execute(tx);
  const shown: SettingRow[] = [];
  for (const { name, updated_at, raise, ...row } of rows)
    shown.push({
      name,
      ...row,
      value: (await readSetting(tx, name)) as SettingRow['value'],
      updated_at: updated_at?.toISOString() ?? null,
      raise: raise && { ...raise, at: new Date(raise.at).toISOString(), effective_at: new Date(raise.effective_at).toISOString() },
    });
  return shown;
};

export const list = (app: App, actor: Actor): Promise<{ items: SettingRow[] }> =>
  app.db.tx(scopeOf(actor), async (tx) => ({ items: await rowsOf(tx, settingNames) }));

export const limits = (app: App, actor: Actor): Promise<OutputOf<typeof calls.moneyLimits>> => app.db.tx(scopeOf(actor), readSettings);

export const paymentAccount = (app: App, actor: Actor): Promise<OutputOf<typeof calls.paymentAccount>> =>
  app.db.tx(scopeOf(actor), async (tx) => {
    const row = await tx.selectFrom('settings').select('updated_at').where('name', '=', 'payment_account').executeTakeFirst();
    return { text: await readSetting(tx, 'payment_account'), updated_at: row?.updated_at.toISOString() ?? null };
  });

/** Where the network's money goes to is changed by nobody in silence. */
const announcePaymentAccount = (tx: Tx, actor: Actor, version: number): Promise<unknown> =>
  raiseAlert(tx, {
    code: 'payment_account_changed',
    params: { account: actor.username },
    account_id: actor.account_id,
    key: `payment_account_changed:${version}`,
  });

const store = async (tx: Tx, name: SettingName, value: AnySettingValue, { by, at }: { by: number; at: Date }): Promise<void> => {
  await sql`insert into settings (name, value, updated_at, account_id) values (${name}, ${jsonText(value)}::jsonb, ${at}, ${by})
    on conflict (name) do update set value = excluded.value, updated_at = excluded.updated_at, account_id = excluded.account_id, version = settings.version + 1`.execute(
    tx,
  );
};

/** Ends the raise that waits, if there is one. */
const endRaise = async (
  tx: Tx,
  raise: Pick<Raise, 'id'>,
  status: 'applied' | 'confirmed' | 'cancelled',
  { by, at }: { by: number | null; at: Date },
): Promise<void> => {
  await tx.updateTable('setting_raises').set({ status, decided_by: by, decided_at: at }).where('id', '=', raise.id).execute();
  if (status !== 'applied') await closeAlertOf(tx, alertOf(raise.id), at);
};

const waitingRaise = (tx: Tx, name: SettingName): Promise<Raise | undefined> =>
  tx
    .selectFrom('setting_raises')
    .selectAll()
    .where('name', '=', name)
    .where('status', '=', 'waiting')
    .forUpdate()
    .$narrowType<{ name: SettingName }>()
    .executeTakeFirst();

/** One change of a setting at a time, also of one that has no row yet. */
const lockSetting = async (tx: Tx, name: SettingName): Promise<void> => {
  await sql`select pg_advisory_xact_lock(hashtextextended('setting ' || ${name}, 0))`.execute(tx);
};

const checked = (name: SettingName, value: unknown): AnySettingValue => {
  const parsed = settingSchema(name).safeParse(value);
  if (parsed.success) return parsed.data;
  const { min, max } = settings[name] as Setting & { min?: number; max?: number };
  const code = parsed.error.issues[0]!.message;
  const reason: Reason = {
    code: ['too_small', 'too_big', 'integer', 'province_code'].includes(code) ? code : 'invalid',
    ...(max !== undefined && { params: { min: min!, max } }),
  };
  return failFields({ value: reason });
};

export const edit = (
  app: App,
  actor: Actor,
  { name, version, value: entered }: ParsedOf<typeof calls.editSetting>,
  request: RequestContext,
): Promise<SettingRow> =>
  app.db.tx(scopeOf(actor), async (tx) => {
    const value = checked(name, entered);
    await lockSetting(tx, name);
    const [current] = (await rowsOf(tx, [name])) as [SettingRow];
    if (current.version !== version) fail('version_conflict', {}, { current });
    const meta = { by: actor.account_id, at: app.clock.now() };
    const waiting = await waitingRaise(tx, name);
    if (waiting) await endRaise(tx, waiting, 'cancelled', meta);
    const before = current.value as AnySettingValue;
    const raises = (settings[name] as { moneyLimit?: true }).moneyLimit === true && (value as number) > (before as number);
    if (raises) await askRaise(tx, name, before as number, value as number, meta);
    else if (JSON.stringify(before) !== JSON.stringify(value)) {
      await store(tx, name, value, meta);
      if (name === 'payment_account') await announcePaymentAccount(tx, actor, version);
    }
    await recordAudit(tx, actor, request, {
      action: raises ? 'request_raise' : 'edit',
      subject: 'settings',
      subject_id: null,
      changes: JSON.stringify(before) === JSON.stringify(value) ? {} : { [name]: [before, value] },
    });
    return (await rowsOf(tx, [name]))[0]!;
  });

const askRaise = async (tx: Tx, name: SettingName, before: number, after: number, { by, at }: { by: number; at: Date }): Promise<void> => {
  const effective_at = executableAt(at);
  const row = await tx
    .insertInto('setting_raises')
    .values({ name, amount_before: before, amount_after: after, account_id: by, at, effective_at })
    .returning('id')
    .executeTakeFirstOrThrow();
  await raiseAlert(tx, {
    code: 'limit_raise_waits',
    params: {
      raise_id: row.id,
      name_zh: settings[name].zh,
      name_en: settings[name].en,
      before_amount: before,
      after_amount: after,
      time: businessTime(effective_at),
    },
    account_id: by,
    key: alertOf(row.id),
  });
};

const lockRaise = async (tx: Tx, id: number): Promise<Raise> => {
  const row = await tx.selectFrom('setting_raises').select('name').where('id', '=', id).$narrowType<{ name: SettingName }>().executeTakeFirst();
  if (!row) return fail('not_found');
  await lockSetting(tx, row.name);
  const waiting = await waitingRaise(tx, row.name);
  return waiting?.id === id ? waiting : fail('raise_not_waiting');
};

const auditRaise = (
  tx: Tx,
  actor: Actor | null,
  request: RequestContext | null,
  action: string,
  { id, name, amount_before, amount_after }: Raise,
): Promise<void> => recordAudit(tx, actor, request, { action, subject: 'settings', subject_id: id, changes: { [name]: [amount_before, amount_after] } });

export const confirm = (app: App, actor: Actor, { id }: ParsedOf<typeof calls.confirmRaise>, request: RequestContext): Promise<{ id: number }> =>
  app.db.tx(scopeOf(actor), async (tx) => {
    const raise = await lockRaise(tx, id);
    const meta = { by: actor.account_id, at: app.clock.now() };
    if (raise.account_id === actor.account_id) fail('second_person_required');
    if (!(await independentApprovers(tx, raise)).includes(actor.account_id)) fail('second_person_tied', { days: setupDays });
    await store(tx, raise.name, raise.amount_after, meta);
    await endRaise(tx, raise, 'confirmed', meta);
    await auditRaise(tx, actor, request, 'confirm_raise', raise);
    return { id };
  });

export const cancel = (app: App, actor: Actor, { id }: ParsedOf<typeof calls.cancelRaise>, request: RequestContext): Promise<{ id: number }> =>
  app.db.tx(scopeOf(actor), async (tx) => {
    const raise = await lockRaise(tx, id);
    await endRaise(tx, raise, 'cancelled', { by: actor.account_id, at: app.clock.now() });
    await auditRaise(tx, actor, request, 'cancel_raise', raise);
    return { id };
  });

/** Every minute: raises whose 24 hours are over take effect. */
export const applyRaises = async (app: App): Promise<void> => {
  const at = app.clock.now();
  await app.db.tx(systemScope('raised limits'), async (tx) => {
    const { rows } =
      await sql<Raise>`select * from setting_raises where status = 'waiting' and effective_at <= ${at} order by id for update skip locked`.execute(tx);
    for (const raise of rows) {
      await store(tx, raise.name, raise.amount_after, { by: raise.account_id, at });
      await endRaise(tx, raise, 'applied', { by: null, at });
      await auditRaise(tx, null, null, 'apply_raise', raise);
    }
  });
};
