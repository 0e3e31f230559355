import type { Merchant } from '@waystation/contract/network/merchant.ts';
import type * as calls from '@waystation/contract/network/merchant.ts';
import type { ParsedOf } from '@waystation/contract/base/endpoint.ts';
import { mostSucceeded } from '@waystation/contract/base/limits.ts';
import type { App } from '#app.ts';
import { closeAlerts } from '#domain/alerts/alerts.ts';
import { recordAudit } from '#platform/audit.ts';
import { auditedChange, auditedStatus } from '#platform/audited-change.ts';
import type { Actor } from '#platform/auth/actor.ts';
import { inOwnTx } from '#platform/auth/own-tx.ts';
import { callerOf, sql } from '#platform/db/db.ts';
import type { RowOf, UserWork, Work } from '#platform/db/db.ts';
import { fail, failFields } from '#platform/fail.ts';
import type { RequestContext } from '#platform/http/context.ts';
import { audited, read, watchToken } from './merchants.ts';
import { stationsNaming } from './merchant-usage.ts';
import type { Row } from './merchants.ts';

type Account = Pick<Row, 'id' | 'status' | 'is_default' | 'customer_code' | 'simulated'>;

/**
 * Locks all accounts of a carrier in the order of their ids, so that concurrent switches wait for
 * each other.
 */
const lockAccounts = (work: Work, provider: Row['provider']): Promise<Account[]> =>
  work.tx
    .selectFrom('merchants')
    .select(['id', 'status', 'is_default', 'customer_code', 'simulated'])
    .where('provider', '=', provider)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();

/**
 * Changes a carrier's default account: the old account stops being the default and the new account
 * becomes it in the same transaction.
 */
const switchDefault = async (
  work: UserWork,
  rows: readonly Account[],
  id: number,
): Promise<void> => {
  for (const other of rows.filter((row) => row.id !== id && row.is_default === 1))
    await auditedChange(work, audited, {
      id: other.id,
      action: 'default',
      columns: () => ({ is_default: 0 as const }),
    });
  await auditedChange(work, audited, {
    id,
    action: 'default',
    columns: ({ is_default }) => (is_default === 1 ? null : { is_default: 1 as const }),
  });
};

/**
 * The replacement account becomes the default and the account of the stations that use this one.
 * Ordered parcels keep their account.
 */
const replaceBySuccessor = async (
  work: UserWork,
  { id, successor_id }: { id: number; successor_id: number },
): Promise<void> => {
  const { provider } = await read(work, id);
  const accounts = await lockAccounts(work, provider);
  const account = accounts.find((row) => row.id === id) ?? fail('not_found');
  const successor = accounts.find(
    (row) => row.id === successor_id && row.id !== id && row.status === 1,
  );
  if (!successor) return failFields({ successor_id: { code: 'successor_invalid' } });
  if (successor.simulated !== account.simulated)
    failFields({ successor_id: { code: 'successor_simulated' } });
  if (account.is_default === 1) await switchDefault(work, accounts, successor_id);
  const { rows } = await sql<RowOf<'stations', 'id'>>`select id from stations
    where customer_code = ${account.customer_code}
    order by id for no key update`.execute(work.tx);
  if (rows.length > mostSucceeded)
    fail('successor_too_many', { count: rows.length, limit: mostSucceeded });
  await sql`update stations set customer_code = ${successor.customer_code},
    version = version + 1, updated_at = clock_timestamp()
    where id = any(${rows.map((station) => station.id)}::bigint[])`.execute(work.tx);
  for (const station of rows)
    await recordAudit(work, {
      action: 'edit',
      subject: 'stations',
      subject_id: station.id,
      station_id: station.id,
      changes: { customer_code: [account.customer_code, successor.customer_code] },
    });
};

/** Enables or disables one row in the caller's transaction; a bulk action calls it for each row. */
export const setStatusInTx = async (
  app: App,
  work: UserWork,
  { id, status, successor_id }: ParsedOf<typeof calls.setMerchantStatus>,
): Promise<Merchant> => {
  if (status === 0 && successor_id !== undefined)
    await replaceBySuccessor(work, { id, successor_id });
  await auditedStatus(work, audited, {
    id,
    status,
    check: async (before) => {
      if (status === 1 || before.status === 0) return;
      if (before.is_default === 1) fail('merchant_is_default');
      const { count } = await stationsNaming(work, before.customer_code);
      if (count > 0) fail('merchant_in_use', { count });
    },
    also: (row) => watchToken(app, work, row),
  });
  return read(work, id);
};

export const switchStatus = inOwnTx(setStatusInTx);

export const makeDefault = (
  app: App,
  actor: Actor,
  { id }: ParsedOf<typeof calls.makeDefaultMerchant>,
  request: RequestContext,
): Promise<Merchant> =>
  app.db.tx(callerOf(actor, request), async (work) => {
    const { provider } = await read(work, id);
    const rows = await lockAccounts(work, provider);
    const row = rows.find((each) => each.id === id);
    if (row?.status === 0) fail('merchant_not_enabled');
    // Going live replaces a simulated default account by a real one. The way back is refused.
    if (
      row?.simulated === 1 &&
      rows.some((other) => other.is_default === 1 && other.simulated === 0)
    )
      fail('default_simulated');
    await switchDefault(work, rows, id);
    return read(work, id);
  });

export const resume = (
  app: App,
  actor: Actor,
  { id }: ParsedOf<typeof calls.resumeMerchant>,
  request: RequestContext,
): Promise<Merchant> =>
  app.db.tx(callerOf(actor, request), async (work) => {
    await auditedChange(work, audited, {
      id,
      action: 'resume',
      columns: ({ paused_at }) =>
        paused_at === null ? null : { paused_at: null, paused_reason: '' },
      also: () => closeAlerts(work, id, 'merchant_paused'),
    });
    return read(work, id);
  });
