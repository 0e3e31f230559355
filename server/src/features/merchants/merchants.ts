import { accountSchemas } from '@waystation/contract/network/merchant-accounts.ts';
import { secretFields, tokenWarningDays } from '@waystation/contract/network/merchant.ts';
import type { Merchant, SecretField } from '@waystation/contract/network/merchant.ts';
import type * as calls from '@waystation/contract/network/merchant.ts';
import type { ParsedOf } from '@waystation/contract/base/endpoint.ts';
import type { Reason } from '@waystation/contract/base/envelope.ts';
import { providers } from '@waystation/contract/network/provider.ts';
import type { App } from '#app.ts';
import { usesLately } from '#domain/express/express-reads.ts';
import { placeOf } from '#domain/address/address.ts';
import { closeAlerts, raiseAlert } from '#domain/alerts/alerts.ts';
import { baseUrlProblem } from '#domain/carriers/carriers.ts';
import { makePushSecret, secretPurpose } from '#domain/merchant-secrets/merchant-secrets.ts';
import { auditedChange, auditedInsert } from '#platform/audited-change.ts';
import type { AuditedTable } from '#platform/audited-change.ts';
import type { Actor } from '#platform/auth/actor.ts';
import { businessDay } from '#platform/clock.ts';
import { contains, equal, filterConditions } from '#platform/db/conditions.ts';
import type { Listed } from '#platform/db/paging.ts';
import { callerOf, sql } from '#platform/db/db.ts';
import type { Work } from '#platform/db/db.ts';
import { getRow, listRows, lockRow, namedRows } from '#platform/db/rows.ts';
import type { Stored, Values } from '#platform/db/rows.ts';
import { systemScope } from '#platform/db/scope.ts';
import { failFields } from '#platform/fail.ts';
import type { RequestContext } from '#platform/http/context.ts';

export const audited: AuditedTable<'merchants'> = {
  table: 'merchants',
  audited: [
    'name',
    'provider',
    'customer_code',
    'base_url',
    'is_default',
    'guarantee',
    'status',
    'province',
    'city',
    'county',
    'address',
    'sender_name',
    'sender_phone',
    'warehouse_code',
    'token_expires_at',
    'simulated',
    'prefetch_numbers',
    'paused_at',
  ],
  unique: { merchants_code: 'customer_code' },
};
const day = 86_400_000;

/** A row as it is stored, without the counts that a reader gets. */
export type Row = Stored<'merchants'>;

/**
 * A carrier account in a response: without secrets, and with counts of its calls. `answered_24h`
 * counts the calls that the carrier accepted or refused.
 */
export const shown = namedRows(
  [
    'id name provider customer_code base_url is_default guarantee status province city county address sender_name sender_phone warehouse_code token_expires_at paused_at',
    'down_since paused_reason simulated prefetch_numbers proof version created_at updated_at secret_tails customer_code_fixed last_call_at calls_24h answered_24h parcels_30d',
  ].join(' '),
  sql`(select m.id, m.name, m.provider, m.customer_code, m.base_url, m.is_default,
    m.guarantee, m.status, m.province, m.city, m.county, m.address,
    m.sender_name, m.sender_phone, m.warehouse_code, m.token_expires_at, m.paused_at,
      m.down_since, m.paused_reason, m.simulated, m.prefetch_numbers, m.proof, m.version,
    m.created_at, m.updated_at,
    jsonb_build_object('app_key', m.secret_tails ->> 'app_key', 'app_secret',
      m.secret_tails ->> 'app_secret', 'access_token',
      m.secret_tails ->> 'access_token') as secret_tails,
    exists (select 1 from expresses e where e.merchant_id = m.id)::int as customer_code_fixed,
    (select c.at from carrier_calls c where c.merchant_id = m.id order by c.id desc
      limit 1) as last_call_at,
    h.calls_24h, h.answered_24h,
    ${usesLately('merchant', 'm.id', sql`now()`)} as parcels_30d
  from merchants m cross join lateral (
    select count(*) as calls_24h, count(*) filter (where c.outcome not in ('gateway',
      'unknown')) as answered_24h
    from carrier_calls c where c.merchant_id = m.id
      and c.at >= now() - interval '24 hours') h)`,
);

export const read = (work: Work, id: number): Promise<Merchant> =>
  getRow<Merchant>(work, shown, id);

export const list = (
  app: App,
  actor: Actor,
  filters: ParsedOf<typeof calls.listMerchants>,
): Promise<Listed<Merchant>> =>
  app.db.tx(callerOf(actor), (work) =>
    listRows(work, shown, {
      conditions: filterConditions(filters, {
        q: contains('r.name', 'r.customer_code'),
        provider: equal,
        is_default: equal,
        status: equal,
      }),
      paging: filters,
      sortable: [
        '-created_at',
        'name',
        'provider',
        'customer_code',
        'is_default',
        'status',
        'guarantee',
        'parcels_30d',
        'updated_at',
      ],
    }),
  );

export const get = (
  app: App,
  actor: Actor,
  { id }: ParsedOf<typeof calls.getMerchant>,
): Promise<Merchant> => app.db.tx(callerOf(actor), (work) => read(work, id));

type MerchantInput = Partial<Record<SecretField, string | undefined>> & {
  base_url?: string | undefined;
  province?: string | undefined;
  city?: string | undefined;
  county?: string | undefined;
  simulated?: 0 | 1 | undefined;
};
type Place = Pick<Merchant, 'province' | 'city' | 'county'>;

/** The official names of the typed region. An empty region is allowed. */
const placed = (input: MerchantInput, before: Place): Partial<Place> => {
  if (input.province === undefined && input.city === undefined && input.county === undefined)
    return {};
  const [province, city, county] = [
    input.province ?? before.province,
    input.city ?? before.city,
    input.county ?? before.county,
  ];
  if (province === '' && city === '' && county === '') return { province, city, county };
  const place = placeOf(province, city, county);
  if (!('code' in place)) return failFields({ [place.field]: place.problem });
  return { province: place.province, city: place.city, county: place.county };
};

/**
 * The columns of the given secrets, encrypted, and the last four characters of each, which may be
 * shown. An empty secret removes the stored secret.
 */
const sealed = (
  app: App,
  input: MerchantInput,
  tails: Row['secret_tails'],
): Pick<Values<'merchants'>, SecretField | 'secret_tails'> => {
  const fields = secretFields.filter((field) => input[field] !== undefined);
  if (fields.length === 0) return {};
  const secret_tails = { ...tails };
  const columns: Partial<Record<SecretField, Buffer | null>> = {};
  for (const field of fields) {
    const plain = input[field] ?? '';
    columns[field] = plain === '' ? null : app.secrets.seal(plain, secretPurpose(field));
    secret_tails[field] = plain === '' ? null : plain.slice(-4);
  }
  return { ...columns, secret_tails: JSON.stringify(secret_tails) };
};

/** The input without its secrets, which are stored separately and encrypted. */
const withoutSecrets = <Given extends MerchantInput>({
  app_key: _key,
  app_secret: _secret,
  access_token: _token,
  ...plain
}: Given) => plain;

/** The required fields that an account with this carrier lacks, each with an error. */
const missing = (
  provider: Merchant['provider'],
  has: (field: SecretField | 'customer_code') => boolean,
): Record<string, Reason> =>
  Object.fromEntries(
    (accountSchemas[provider]?.fields ?? [])
      .filter(({ name, required }) => required && !has(name))
      .map(({ name }) => [
        name,
        { code: 'carrier_field_required', params: { provider: providers[provider].zh } },
      ]),
  );

const checkUrl = (app: App, base_url: string | undefined): void => {
  const problem =
    base_url === undefined ? null : baseUrlProblem(base_url, app.config.outboundAllow);
  if (problem) failFields({ base_url: problem });
};

/**
 * True if both URLs have the same origin, as browsers and sockets read it: `http://0x7f.1:08090` is
 * `http://127.0.0.1:8090`.
 */
const isSameOrigin = (one: string, other: string): boolean =>
  URL.canParse(one) && URL.canParse(other) && new URL(one).origin === new URL(other).origin;

/**
 * Fails if the host changes and a stored secret is not entered again, because a secret may be sent
 * only to the host that it was entered for.
 */
const checkMoved = ({ base_url, secret_tails }: Row, input: MerchantInput): void => {
  const moved = input.base_url !== undefined && !isSameOrigin(base_url, input.base_url);
  const unknown = moved
    ? secretFields.filter(
        (field) => input[field] === undefined && (secret_tails[field] ?? '') !== '',
      )
    : [];
  if (unknown.length > 0)
    failFields(
      Object.fromEntries(unknown.map((field) => [field, { code: 'merchant_secret_again' }])),
    );
};

/**
 * Refuses to change the code of an account that has carried a parcel, because parcels contain the
 * code.
 */
const checkCode = async (
  work: Work,
  { id, customer_code }: Row,
  wanted: string | undefined,
): Promise<void> => {
  if (wanted === undefined || wanted === customer_code) return;
  const { customer_code_fixed } = await read(work, id);
  if (customer_code_fixed === 1) failFields({ customer_code: { code: 'customer_code_fixed' } });
};

/** An account that uses our own simulator is marked as simulated, whatever the input contains. */
const mark = (app: App, { base_url, simulated }: MerchantInput): { simulated?: 0 | 1 } => {
  if (base_url !== undefined && isSameOrigin(base_url, app.config.simulator.url))
    return { simulated: 1 };
  return simulated === undefined ? {} : { simulated };
};

/** The names of the changed secrets for the audit log, without their values. */
const secretChanges = (input: MerchantInput): Record<string, readonly [null, null]> =>
  Object.fromEntries(
    secretFields
      .filter((field) => input[field] !== undefined)
      .map((field) => [field, [null, null] as const]),
  );

/**
 * Raises the warning about a carrier account's token if its expiry is near, and closes the warning
 * otherwise.
 */
export const watchToken = async (
  app: App,
  work: Work,
  { id, name, token_expires_at, status }: Row,
): Promise<void> => {
  const code = 'merchant_token_ends';
  const ends = token_expires_at === null ? Number.POSITIVE_INFINITY : Date.parse(token_expires_at);
  if (status === 0 || ends > app.clock.now().getTime() + tokenWarningDays * day)
    return closeAlerts(work, id, code);
  const date = businessDay(new Date(ends));
  const key = `${code}:${id}:${date}`;
  await closeAlerts(work, id, code, key);
  await raiseAlert(work, { code, params: { name, date }, merchant_id: id, key });
};

export const create = (
  app: App,
  actor: Actor,
  input: ParsedOf<typeof calls.createMerchant>,
  request: RequestContext,
): Promise<Merchant> => {
  app.carrierOf(input.provider);
  const lacking = missing(input.provider, (field) => Boolean(input[field]));
  if (Object.keys(lacking).length > 0) failFields(lacking);
  checkUrl(app, input.base_url);
  return app.db.tx(callerOf(actor, request), async (work) => {
    const values = {
      ...withoutSecrets(input),
      ...placed(input, { province: '', city: '', county: '' }),
      ...mark(app, input),
      ...sealed(app, input, {}),
      ...makePushSecret(app.secrets).columns,
    };
    const { rows } = await sql`select 1 from merchants where provider = ${input.provider}
      and is_default = 1`.execute(work.tx);
    const is_default = rows.length === 0 && input.status !== 0 ? 1 : 0;
    const { id } = await auditedInsert(work, audited, {
      values: { ...values, is_default },
      also: async (row) => {
        await watchToken(app, work, row);
        return secretChanges(input);
      },
    });
    return read(work, id);
  });
};

export const edit = (
  app: App,
  actor: Actor,
  { id, version, ...values }: ParsedOf<typeof calls.editMerchant>,
  request: RequestContext,
): Promise<Merchant> => {
  checkUrl(app, values.base_url);
  return app.db.tx(callerOf(actor, request), async (work) => {
    await auditedChange(work, audited, {
      id,
      version,
      action: 'edit',
      // A conflict returns the row as in a response, because the stored row contains encrypted
      // secrets.
      current: () => read(work, id),
      columns: async (before) => {
        await checkCode(work, before, values.customer_code);
        checkMoved(before, values);
        const tails = before.secret_tails;
        const lacking = missing(before.provider, (field) =>
          field === 'customer_code' ? true : (values[field] ?? tails[field] ?? '') !== '',
        );
        if (Object.keys(lacking).length > 0) failFields(lacking);
        return {
          ...withoutSecrets(values),
          ...placed(values, before),
          ...mark(app, { ...values, base_url: values.base_url ?? before.base_url }),
          ...sealed(app, values, tails),
        };
      },
      also: async (row) => {
        await watchToken(app, work, row);
        return secretChanges(values);
      },
    });
    return read(work, id);
  });
};

/** Task: raises a warning for every carrier account's token that expires within a week. */
export const watchTokens = (app: App): Promise<void> =>
  app.db.tx(systemScope('tokens that end'), async (work) => {
    const until = new Date(app.clock.now().getTime() + tokenWarningDays * day);
    const rows = await work.tx
      .selectFrom('merchants')
      .select('id')
      .where('status', '=', 1)
      .where('token_expires_at', '<', until)
      .orderBy('id')
      .execute();
    for (const { id } of rows) await watchToken(app, work, await lockRow(work, 'merchants', id));
  });
