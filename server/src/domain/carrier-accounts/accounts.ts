import { accountSchemas } from '@waystation/contract/network/merchant-accounts.ts';
import type { Carrier, CallRecord, CarrierAccount } from '#domain/carriers/carriers.ts';
import { raiseAlert } from '#domain/alerts/alerts.ts';
import { secretPurpose } from '#domain/merchant-secrets/merchant-secrets.ts';
import type { Clock } from '#platform/clock.ts';
import { jsonText, queueStatement, sql } from '#platform/db/db.ts';
import type { Db, RowOf, Work } from '#platform/db/db.ts';
import { systemScope } from '#platform/db/scope.ts';
import type { Log } from '#platform/log.ts';
import type { Secrets } from '#platform/secrets/secrets.ts';
import { judgeAccount } from './outage.ts';
import { tracer } from '#platform/tracing/tracing.ts';

/** The parts of the application that the background tasks of a parcel need. */
export interface CarrierContext {
  db: Db;
  clock: Clock;
  log: Log;
  secrets: Secrets;
  carrierOf(provider: string): Carrier;
}

/**
 * A carrier account with its secrets decrypted. `paused` is true if calls are paused until an
 * administrator acts.
 */
export interface OpenAccount {
  merchant_id: number;
  account: CarrierAccount;
  carrier: Carrier;
  paused: boolean;
  /** True if each order is sent with a waybill number that was fetched before. */
  prefetches: boolean;
}

export const openAccount = (context: CarrierContext, merchant_id: number): Promise<OpenAccount> =>
  context.db.tx(systemScope('carrier account'), (work) =>
    openAccountInTx(context, work, merchant_id),
  );

type AccountContext = Pick<CarrierContext, 'secrets' | 'carrierOf'>;

const accountColumns = [
  'id',
  'provider',
  'customer_code',
  'access_token',
  'app_key',
  'app_secret',
  'base_url',
  'warehouse_code',
  'paused_at',
  'prefetch_numbers',
] as const;

/** Opens an account in a transaction that has the system's scope. */
export const openAccountInTx = async (
  context: AccountContext,
  work: Work,
  merchant_id: number,
): Promise<OpenAccount> => {
  const row = await work.tx
    .selectFrom('merchants')
    .select(accountColumns)
    .where('id', '=', merchant_id)
    .executeTakeFirst();
  if (!row) throw new Error(`merchant ${merchant_id} is gone`);
  return accountOf(context, row);
};

/**
 * The carrier account of a parcel, read together with the lock of the parcel in one query; null if
 * the parcel has none.
 */
export const openAccountOfExpress = async (
  context: AccountContext,
  work: Work,
  express_id: number,
): Promise<OpenAccount | null> => {
  const row = await work.tx
    .selectFrom('merchants')
    .select(accountColumns)
    .where('id', '=', (parcel) =>
      parcel.selectFrom('expresses').select('merchant_id').where('expresses.id', '=', express_id),
    )
    .executeTakeFirst();
  return row ? accountOf(context, row) : null;
};

const accountOf = (
  context: AccountContext,
  row: RowOf<'merchants', (typeof accountColumns)[number]>,
): OpenAccount => {
  const open = (field: 'access_token' | 'app_key' | 'app_secret'): string =>
    row[field] ? context.secrets.open(row[field], secretPurpose(field)) : '';
  const carrier = context.carrierOf(row.provider);
  return {
    merchant_id: row.id,
    paused: row.paused_at !== null,
    prefetches:
      (row.prefetch_numbers === 1 && accountSchemas[row.provider]?.prefetches === true) ||
      carrier.recovers_by === 'seek_by_fetched_number',
    carrier,
    account: {
      provider: row.provider,
      base_url: row.base_url,
      app_key: open('app_key'),
      app_secret: open('app_secret'),
      access_token: open('access_token'),
      customer_code: row.customer_code,
      warehouse_code: row.warehouse_code,
    },
  };
};

/** The parts of a carrier's answer that are recorded for the account. */
export type CarrierAnswer = { call: CallRecord; code?: string; not_sent?: true } & (
  | { outcome: 'gateway'; pause: boolean; text: string }
  | { outcome: string }
);

/** A call and its answer. `down` is true if the account was already down before the call. */
interface AnsweredCall {
  express_id: number | null;
  answer: { outcome: string; code?: string; not_sent?: true; call: CallRecord };
  down?: boolean | undefined;
  /** The job or user that made the call; if empty, nothing is recorded about the caller. */
  caller?: string;
}

/** Stores a call and its answer without secrets, and judges from it if the account is down. */
export const recordCall = async (
  work: Work,
  merchant_id: number,
  { express_id, answer, down, caller = '' }: AnsweredCall,
): Promise<void> => {
  const { call } = answer;
  tracer()?.past(`carrier ${call.operation}`, call.ms, {
    kind: 'client',
    attributes: { 'waystation.outcome': answer.outcome },
    failure: ['gateway', 'unknown'].includes(answer.outcome) ? answer.outcome : undefined,
  });
  // Texts are not stored again for a parcel whose personal data were erased.
  const text = (value: unknown) =>
    express_id === null
      ? jsonText(value)
      : sql<string>`case when (select e.erased from expresses e where e.id = ${express_id}) > 0
          then null else ${jsonText(value)}::jsonb end`;
  const insert = work.tx
    .insertInto('carrier_calls')
    .values({
      merchant_id,
      express_id,
      operation: call.operation,
      outcome: answer.outcome,
      code: answer.code ?? '',
      trace_id: call.trace_id,
      ms: call.ms,
      sent: answer.not_sent === true ? 0 : 1,
      called_by: caller,
      request: text(call.request),
      answer: text(call.answer),
    })
    .compile();
  await queueStatement(work, insert);
  await judgeAccount(
    work,
    merchant_id,
    { operation: call.operation, outcome: answer.outcome },
    down,
  );
};

/**
 * Stops all calls of an account if the carrier refuses its token or signature, until an
 * administrator resumes them (docs/operating.md).
 */
const pauseMerchant = async (
  work: Work,
  merchant_id: number,
  at: Date,
  text: string,
): Promise<void> => {
  await work.tx
    .updateTable('merchants')
    .set({ paused_at: at, paused_reason: text.slice(0, 300) })
    .where('id', '=', merchant_id)
    .where('paused_at', 'is', null)
    .execute();
  await raiseAlert(work, {
    code: 'merchant_paused',
    params: { text },
    merchant_id,
    key: `merchant_paused:${merchant_id}:${at.toISOString().slice(0, 13)}`,
  });
};

/** An answer of a carrier. `down` is true if the account was already down before this answer. */
interface RecordedAnswer {
  express_id: number | null;
  answer: CarrierAnswer;
  down?: boolean | undefined;
  caller?: string;
}

/** Records an answer of an account's carrier, and pauses the account if the gateway rejects it. */
export const recordAnswer = async (
  context: Pick<CarrierContext, 'clock'>,
  work: Work,
  merchant_id: number,
  { express_id, answer, down, caller = '' }: RecordedAnswer,
): Promise<void> => {
  await recordCall(work, merchant_id, { express_id, answer, down, caller });
  if ('pause' in answer && answer.pause)
    await pauseMerchant(work, merchant_id, context.clock.now(), answer.text);
};
