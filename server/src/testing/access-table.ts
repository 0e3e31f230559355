import { listedFields } from '@waystation/contract/parcels/express.schema.ts';
import { provinceCodes } from '@waystation/contract/parcels/provinces.ts';
import { charge, hold, requestAdjustment, topUp } from '#domain/ledger/ledger.ts';
import { sealAddress } from '#domain/notices/notices.ts';
import { addDays, dayStart, periodOf } from '#platform/clock.ts';
import { sql } from '#platform/db/db.ts';
import { systemScope } from '#platform/db/scope.ts';
import { codeOf, stepOf } from '#platform/auth/totp.ts';
import { carrierTruth } from './access-carriers.ts';
import { handovers } from './access-handovers.ts';
import { imports } from './access-imports.ts';
import { keys } from './access-keys.ts';
import { webhooks } from './access-webhooks.ts';
import { monthEnd } from './access-month-end.ts';
import { personal } from './access-personal.ts';
import { networkSettings, personalData, systemHealth } from './access-settings.ts';
import type { Kind, Row, Target } from './access-row.ts';
import { quickHash } from './test-network.ts';
import { rowsOf } from './test-system.ts';
import type { TestSystem } from './test-system.ts';

const parcel = (kind: Kind, tail: string, body?: object): Row => ({
  about: 'parcel',
  kind,
  path: (id) => `/api/arco/expresses/${id}${tail}`,
  ...(body && { body: () => body }),
});
/** Describes a route for a row that `make` creates. The row's id is in the route's path. */
const row = (make: NonNullable<Row['make']>, base: string, tail: string, body?: object): Row => ({
  about: 'row',
  make,
  path: (id) => `/api/arco/${base}/${id}${tail}`,
  ...(body && { body: () => body }),
});
/** The number of names that `another` has returned. It makes each name unique. */
let names = 0;
export const another = (word: string): string => `${word} ${++names}`;

const inserted = async (
  system: TestSystem,
  query: ReturnType<typeof sql<{ id: number }>>,
): Promise<number> => (await rowsOf(system, query))[0]!.id;

/**
 * Returns the data of the first transaction that each station has: a top-up in the middle of the
 * previous month.
 */
export const firstTopUp = (): { amount: number; at: Date; period: string } => {
  const day = addDays(`${periodOf(new Date())}-01`, -15);
  return { amount: 100_000_000, at: dayStart(day), period: day.slice(0, 7) };
};
/** Removes the pending plan of tiers, because only one pending plan can exist. */
const withoutPlan = async (system: TestSystem): Promise<void> =>
  void (await rowsOf(
    system,
    sql`update guarantee_plans
    set outcome = 'withdrawn', ended_at = now() where outcome is null`,
  ));
const tierPlan = async (system: TestSystem) => {
  await withoutPlan(system);
  return inserted(
    system,
    sql`insert into guarantee_plans (valid_from, tiers, created_at)
      values ('2099-01-01', '[{"money": 100000, "price": 1}]', now()) returning id`,
  );
};
const cargo = (system: TestSystem) =>
  inserted(
    system,
    sql`insert into cargos (name, type,
  provider) values (${another('物品')}, 1, 'jdl') returning id`,
  );

const merchantBody = () => ({
  name: another('商家'),
  provider: 'jdl',
  customer_code: another('C').replace(' ', '-'),
  app_key: 'matrix-app-key',
  app_secret: 'matrix-app-secret',
  base_url: 'https://api.jdl.com',
  sender_name: '示例',
  sender_phone: '13800000001',
});
/**
 * Creates an account with a carrier that gets no orders in these tests. A test may therefore change
 * which account is the default account of this carrier.
 */
const elsewhere = (system: TestSystem) =>
  inserted(
    system,
    sql`insert into merchants (name, provider, customer_code, base_url)
      values (${another('商家')}, 'sf', ${another('C')}, ${system.carrier.url}) returning id`,
  );
const merchant = (system: TestSystem) =>
  inserted(
    system,
    sql`insert into merchants (name, provider, customer_code, base_url, secret_tails)
      values (${another('商家')}, 'jdl', ${another('C')}, ${system.carrier.url},
      '{"app_key":"1234","app_secret":"1234"}') returning id`,
  );
/**
 * For each created station: the id of a station with the same parent. The created station may be
 * moved below that station.
 */
const shelters = new Map<number, number>();
const below = async (system: TestSystem, station_id: number): Promise<number> => {
  const one = () =>
    inserted(
      system,
      sql`insert into stations (name, parent_id)
    values (${another('网点')}, ${station_id}) returning id`,
    );
  const [shelter, id] = [await one(), await one()];
  shelters.set(id, shelter);
  return id;
};
const belowInSetup = async (system: TestSystem, station_id: number): Promise<number> => {
  const id = await below(system, station_id);
  await rowsOf(
    system,
    sql`insert into station_setups (station_id, account_id, started_at, checked_at,
      reminded_at) select ${id}, min(id), now(), now(), now() from accounts`,
  );
  return id;
};
/** Stores an audit entry about the price of a station that is below the target's station. */
const priceEntry = async (system: TestSystem, station_id: number): Promise<number> => {
  const id = await below(system, station_id);
  return inserted(
    system,
    sql`insert into audit_log (account_name, role, address, request_id, action, subject,
      subject_id, station_id, changes)
      values ('super', 'super', '', '', 'edit', 'stations', ${id}, ${id},
        '{"discount": [10000, null]}') returning id`,
  );
};
const office: readonly Target[] = ['own', 'colleague', 'child', 'sibling', 'parent', 'stranger'];
/**
 * Describes a route for a station below the target. Only a station above that station can change
 * its terms.
 */
const stationBelow = (tail: string, body: (id: number) => object): Row => ({
  ...row(below, 'stations', tail),
  owned: true,
  mine: {
    super: office,
    admin: office,
    partner: ['own', 'colleague', 'child', 'sibling', 'parent'],
    station: [],
    user: [],
  },
  body,
});
const undoneEntry = {
  make: priceEntry,
  path: (id: number): string => `/api/arco/audit/${id}/undo`,
};
const atStation = (tail: string, body?: object): Row => ({
  about: 'station',
  path: (id) => `/api/arco/stations/${id}${tail}`,
  ...(body && { body: () => body }),
});
const promise = (system: TestSystem) =>
  inserted(
    system,
    sql`insert into promises (promise_id, promise_name, provider)
    values (${another('ed-x')}, '时效', 'jdl') returning id`,
  );
let worth = 50_000_000;
const guarantee = (system: TestSystem) =>
  inserted(
    system,
    sql`insert into guarantees (money,
  price) values (${++worth}, 1000000) returning id`,
  );
const project = (system: TestSystem) =>
  inserted(
    system,
    sql`insert into projects (name)
  values (${another('方案')}) returning id`,
  );
const person = {
  kind: 'receive',
  name: '王五',
  phone: '13900000005',
  province: '上海市',
  city: '上海市',
  county: '浦东新区',
  address: '世纪大道100号',
};
const contact = (system: TestSystem, station_id: number) =>
  inserted(
    system,
    sql`insert into contacts (station_id, kind, name, phone, province, city, county, address)
      values (${station_id}, 'receive', ${another('王五')}, '13900000005', '上海市', '上海市',
      '浦东新区', '世纪大道100号') returning id`,
  );
const contactRow = (tail: string, body?: object): Row => ({
  ...row(contact, 'contacts', tail, body),
  owned: true,
});
/**
 * The id of a station to which a freight scheme can be assigned. No user belongs to this station,
 * so other tests are not affected.
 */
let idle = 0;
const projectToAssign = async (system: TestSystem) => {
  idle = await inserted(
    system,
    sql`insert into stations (name)
    values (${another('闲置网点')}) returning id`,
  );
  return project(system);
};
const sample = { receive_province: '上海市', receive_city: '上海市', weight: 1_000 };
const alert = (system: TestSystem) =>
  inserted(
    system,
    sql`insert into alerts (code, key)
    values ('carrier_push_unreadable', ${another('alert')}) returning id`,
  );
/** Creates a clerk of the station with a random password. */
const account = (system: TestSystem, station_id: number) =>
  inserted(
    system,
    sql`insert into accounts (username, nickname, role, station_id, password_hash)
      values (${another('clerk').replace(' ', '-')}, '李四', 'user', ${station_id}, '')
      returning id`,
  );
const tokenFor = (id: number): string => String(id).padStart(43, '0');
/** Creates an invited account. The token of the invitation link is `tokenFor(id)`. */
const invited = async (system: TestSystem, station_id: number): Promise<number> => {
  const id = await account(system, station_id);
  await rowsOf(
    system,
    sql`insert into account_invitations (account_id, token_hash, made_by, role, station_id,
        issued_at, expires_at)
      select id, sha256(${tokenFor(id)}::bytea),
        (select id from accounts where username = 'super'), role, station_id,
        password_changed_at, now() + interval '1 hour' from accounts where id = ${id}`,
  );
  return id;
};
/**
 * Creates an account that has received a link for a password reset by mail. The token of the link
 * is `tokenFor(id)`.
 */
const forgotten = async (system: TestSystem, station_id: number): Promise<number> => {
  const id = await account(system, station_id);
  const sealed = sealAddress(system.app.secrets, { to: 'wang@example.com', secret: '' });
  await rowsOf(
    system,
    sql`insert into notice_channels (account_id, kind, name, address, address_hash, hint, language,
        kinds, status, resets_password, reset_hash, reset_until, reset_issued_at, asked_from,
        resume_at)
      select id, 'mail', '邮箱', ${sealed},
        '', '', 'zh', '{}', 'live', true, sha256(${tokenFor(id)}::bytea),
        now() + interval '20 minutes', password_changed_at, now(), now()
      from accounts where id = ${id}`,
  );
  return id;
};
/** Creates a second session of the demo clerk. */
const session = (system: TestSystem) =>
  inserted(
    system,
    sql`insert into sessions (token_hash, account_id, expires_at, address, user_agent)
      select sha256(${another('token')}::bytea), id, now() + interval '1 hour', '', ''
        from accounts where username = 'clerk' returning id`,
  );
const secret = Buffer.alloc(20, 7);
const code = (): string => codeOf(secret, stepOf(new Date()));
/** Sets every password to the demo's password, and sets two-factor authentication to `state`. */
const twoFactor = (state: 'off' | 'begun' | 'on') => async (system: TestSystem) => {
  const { secrets, config } = system.app;
  await rowsOf(
    system,
    sql`update accounts set password_hash = ${quickHash(config.demoPassword)}
      where username in ('super', 'admin', 'partner', 'station', 'clerk')`,
  );
  await rowsOf(system, sql`delete from two_factor_secrets`);
  if (state === 'off') return;
  const ids = await rowsOf(
    system,
    sql<{ id: number }>`select id from accounts
    where username in ('super', 'admin', 'partner', 'station', 'clerk')`,
  );
  for (const { id } of ids)
    await rowsOf(
      system,
      sql`insert into two_factor_secrets (account_id, secret, confirmed_at, created_at)
        values (${id},
          ${secrets.seal(secret.toString('base64'), `second factor of account ${id}`)},
          ${state === 'on' ? new Date() : null}, now())`,
    );
};
const own = (state: Parameters<typeof twoFactor>[0], body: () => object): Row => ({
  about: 'nothing',
  prepare: twoFactor(state),
  body,
});
const shownPassword = 'waystation-demo';

/** Returns the price list of a template that has one price for every province. */
const flatList = (price: number) => ({
  divisor: null,
  origins: [
    {
      provinces: [],
      zones: [
        {
          name: '',
          areas: [...provinceCodes],
          not_served: 0,
          first: { max_g: 1_000, price },
          brackets: [],
          minimum: 0,
        },
      ],
    },
  ],
});
const voucher = (system: TestSystem) =>
  inserted(
    system,
    sql`with v as (insert into vouchers (name, provider, promise_id, weight)
      values (${another('模板')}, 'jdl', 'ed-m-0001', ${JSON.stringify(flatList(900))}::jsonb)
      returning id),
      n as (insert into voucher_versions (voucher_id, no, valid_from, weight)
        select id, 1, now() - interval '1 day', ${JSON.stringify(flatList(800))}::jsonb
        from v)
      select id from v`,
  );
const route = { sender_code: '440000', receive_code: '510000', weight: 1_000 };

/**
 * Returns a function that creates a change request. Its user does not decide about requests in
 * these tests.
 */
const requestBy = (username: string) => (system: TestSystem, station_id: number) =>
  system.app.db.tx(systemScope('access table'), async (work) => {
    const by = (
      await sql<{ id: number }>`select id from accounts
      where username = ${username}`.execute(work.tx)
    ).rows[0]!.id;
    return requestAdjustment(work, {
      station_id,
      amount: 100,
      description: 'test',
      cause: another('request'),
      at: new Date(),
      by,
    });
  });
const request = requestBy('clerk');
/** Stores a parcel and its charge. Returns the id of the transaction with the charge. */
const chargeLine = (system: TestSystem, station_id: number) =>
  system.app.db.tx(systemScope('access table'), async (work) => {
    const { rows } = await sql<{ id: number; order_id: string }>`insert into expresses (station_id,
      user_id, order_id, state_code)
      select ${station_id}, id, ${another('access')}, 100 from accounts
        where username = 'clerk' returning id, order_id`.execute(work.tx);
    const express_id = rows[0]!.id;
    const price = {
      pre_amount: 100,
      discount: 10_000,
      discount_amount: 0,
      guarantee_amount: 0,
      post_amount: 100,
    };
    const meta = () => ({ cause: another('charge'), at: new Date(), by: null });
    await hold(work, {
      station_id,
      express_id,
      attempt: 1,
      delivery_id: null,
      order_id: rows[0]!.order_id,
      price,
      ...meta(),
    });
    return (
      await charge(work, {
        express_id,
        attempt: 1,
        delivery_id: null,
        price,
        shares: [],
        ...meta(),
      })
    ).statement_id!;
  });
const chargedParcel = async (system: TestSystem, station_id: number): Promise<number> =>
  (
    await rowsOf(
      system,
      sql<{ express_id: number }>`select express_id from statements
    where id = ${await chargeLine(system, station_id)}`,
    )
  )[0]!.express_id;

const pickedUpParcel = async (system: TestSystem, station_id: number): Promise<number> => {
  const id = await chargedParcel(system, station_id);
  await rowsOf(system, sql`update expresses set picked_up_at = now() where id = ${id}`);
  return id;
};

const quoteBody = {
  sender_province: '广东省',
  sender_city: '深圳市',
  receive_province: '上海市',
  receive_city: '上海市',
  weight: 1_000,
};

const coverageBody = {
  provider: 'jdl',
  sender_province: '广东省',
  sender_city: '深圳市',
  sender_county: '南山区',
  sender_address: '科技园1号',
  receive_province: '上海市',
  receive_city: '上海市',
  receive_county: '浦东新区',
  receive_address: '世纪大道100号',
};

/**
 * Describes the endpoints of a resource that the office manages. `values` returns the columns of a
 * stored row or of a new row.
 */
const officeResource = (
  name: string,
  values: () => Record<string, unknown>,
  edit: object,
): Record<string, Row> => {
  const make = (system: TestSystem) => {
    const columns = Object.entries(values());
    const [names, cells] = [
      columns.map(([column]) => sql.ref(column)),
      columns.map(([, value]) => sql`${value}`),
    ];
    return inserted(
      system,
      sql`insert into ${sql.table(name)} (${sql.join(names)})
      values (${sql.join(cells)}) returning id`,
    );
  };
  const base = `/api/arco/${name}`;
  return {
    [`GET ${base}`]: { about: 'nothing' },
    [`POST ${base}`]: { about: 'nothing', body: values },
    [`GET ${base}/{id}`]: row(make, name, ''),
    [`PATCH ${base}/{id}`]: row(make, name, '', { version: 1, ...edit }),
    [`POST ${base}/{id}/status`]: row(make, name, '/status', { status: 0 }),
    [`POST ${base}/bulk`]: { about: 'row', make, body: (id) => ({ action: 'disable', ids: [id] }) },
  };
};

/**
 * All routes of the product, by method and path. The access matrix test fails if a route is missing
 * here.
 */
export const table: Record<string, Row> = {
  ...monthEnd,
  ...carrierTruth,
  ...networkSettings,
  ...systemHealth,
  ...personalData,
  'GET /api/arco/about': { about: 'nothing' },
  'POST /api/arco/login/password': {
    about: 'nothing',
    body: () => ({ username: 'nobody', password: 'x' }),
  },
  'POST /api/arco/logout': { about: 'nothing', body: () => ({}) },
  'GET /api/arco/personal': { about: 'nothing' },
  'PATCH /api/arco/personal': { about: 'nothing', body: () => ({ location: another('x') }) },
  'POST /api/arco/personal/password': own('off', () => ({
    current: shownPassword,
    password: another('tulip river seven'),
  })),
  'GET /api/arco/personal/sessions': { about: 'nothing' },
  'POST /api/arco/personal/sessions/{id}/revoke': {
    ...row(session, 'personal/sessions', '/revoke', {}),
    mine: { super: [], admin: [], partner: [], station: [], user: ['own'] },
  },
  'GET /api/arco/personal/second-factor': { about: 'nothing' },
  'POST /api/arco/personal/second-factor/start': own('off', () => ({ password: shownPassword })),
  'POST /api/arco/personal/second-factor/confirm': own('begun', () => ({ otp: code() })),
  'POST /api/arco/personal/second-factor/recovery-codes': own('on', () => ({
    password: shownPassword,
    otp: code(),
  })),
  'POST /api/arco/personal/second-factor/off': own('on', () => ({
    password: shownPassword,
    otp: code(),
  })),
  'GET /api/arco/users': { about: 'nothing' },
  'POST /api/arco/users': {
    about: 'station',
    body: (id) => ({ username: another('clerk').replace(' ', '-'), role: 'user', station_id: id }),
  },
  'GET /api/arco/users/{id}': { ...row(account, 'users', ''), owned: true },
  'PATCH /api/arco/users/{id}': {
    ...row(account, 'users', '', { version: 1, nickname: '王五' }),
    owned: true,
  },
  'POST /api/arco/users/{id}/status': {
    ...row(account, 'users', '/status', { status: 0 }),
    owned: true,
  },
  'POST /api/arco/users/{id}/password': { ...row(account, 'users', '/password', {}), owned: true },
  'POST /api/arco/users/{id}/invitation': {
    ...row(account, 'users', '/invitation', {}),
    owned: true,
  },
  'POST /api/arco/invitations/open': {
    about: 'row',
    make: invited,
    body: (id) => ({ token: tokenFor(id) }),
  },
  'POST /api/arco/invitations/accept': {
    about: 'row',
    make: invited,
    body: (id) => ({ token: tokenFor(id), password: another('tulip river seven') }),
  },
  'POST /api/arco/password-resets': { about: 'nothing', body: () => ({ username: 'nobody' }) },
  'POST /api/arco/password-resets/open': {
    about: 'row',
    make: forgotten,
    body: (id) => ({ token: tokenFor(id) }),
  },
  'POST /api/arco/password-resets/accept': {
    about: 'row',
    make: forgotten,
    body: (id) => ({ token: tokenFor(id), password: another('tulip river seven') }),
  },
  'GET /api/arco/users/{id}/sessions': { ...row(account, 'users', '/sessions'), owned: true },
  'POST /api/arco/users/{id}/sessions/revoke': {
    ...row(account, 'users', '/sessions/revoke', {}),
    owned: true,
  },
  'POST /api/arco/users/{id}/second-factor/reset': {
    ...row(account, 'users', '/second-factor/reset', {}),
    owned: true,
  },
  ...keys,
  ...webhooks,
  ...Object.fromEntries(
    [
      'POST /api/arco/webhooks',
      'PATCH /api/arco/webhooks/{id}',
      'POST /api/arco/webhooks/{id}/secret',
    ].map((name) => [name, { ...webhooks[name]!, prepare: twoFactor('off') }]),
  ),
  'POST /api/arco/keys': { ...keys['POST /api/arco/keys']!, prepare: twoFactor('off') },
  'POST /api/user/menu': { about: 'nothing', body: () => ({}) },
  'GET /api/arco/preferences': { about: 'nothing' },
  'POST /api/arco/preferences': { about: 'nothing', body: () => ({ name: 'settings', value: 1 }) },
  'GET /api/arco/workplace': { about: 'nothing' },
  'GET /api/arco/workplace/money': { about: 'nothing' },
  'GET /api/arco/workplace/balances': { about: 'nothing' },
  'GET /api/arco/workplace/bills': { about: 'nothing' },
  'GET /api/arco/workplace/stations': { about: 'nothing' },
  // The path requests every field that the list may return.
  'GET /api/arco/expresses': {
    about: 'nothing',
    path: () => `/api/arco/expresses?fields=${listedFields.join(',')}`,
  },
  'GET /api/arco/expresses/counts': { about: 'nothing' },
  'GET /api/arco/expresses/stations': { about: 'nothing' },
  'GET /api/arco/address/place': {
    about: 'nothing',
    path: () =>
      '/api/arco/address/place?province=%E5%B9%BF%E4%B8%9C&city=%E6%B7%B1%E5%9C%B3&county=%E5%8D%97%E5%B1%B1',
  },
  'POST /api/arco/address/parse': { about: 'nothing', body: () => ({ text: '张三 13900000001' }) },
  ...officeResource('cargos', () => ({ name: another('物品'), type: 1, provider: 'jdl' }), {
    priority: 5,
  }),
  'GET /api/arco/cargos/{id}/usage': row(cargo, 'cargos', '/usage'),
  'POST /api/arco/cargos/sheet': {
    about: 'nothing',
    body: () => ({ file: new File(['名称\n茶叶'], '物品.csv') }),
  },
  'POST /api/arco/cargos/import': {
    about: 'nothing',
    body: () => ({
      rows: [
        {
          name: another('物品'),
          type: 1,
          provider: 'jdl',
          priority: 0,
          banned: 0,
          banned_reason: '',
          status: 1,
          version: null,
        },
      ],
    }),
  },
  'POST /api/arco/cargos/order': { about: 'row', make: cargo, body: (id) => ({ ids: [id] }) },
  'GET /api/arco/merchants': { about: 'nothing' },
  'POST /api/arco/merchants': { about: 'nothing', body: merchantBody },
  'GET /api/arco/merchants/{id}': row(merchant, 'merchants', ''),
  'GET /api/arco/merchants/{id}/usage': row(merchant, 'merchants', '/usage'),
  'GET /api/arco/merchants/{id}/calls': row(merchant, 'merchants', '/calls'),
  'PATCH /api/arco/merchants/{id}': row(merchant, 'merchants', '', { version: 1, guarantee: 100 }),
  'POST /api/arco/merchants/{id}/status': row(merchant, 'merchants', '/status', { status: 0 }),
  'POST /api/arco/merchants/{id}/default': row(elsewhere, 'merchants', '/default', {}),
  'POST /api/arco/merchants/{id}/test': row(merchant, 'merchants', '/test', {}),
  'POST /api/arco/merchants/{id}/push-address': row(merchant, 'merchants', '/push-address', {}),
  'POST /api/arco/merchants/{id}/push-address/replace': row(
    merchant,
    'merchants',
    '/push-address/replace',
    {},
  ),
  'POST /api/arco/merchants/{id}/push-address/end-previous': row(
    merchant,
    'merchants',
    '/push-address/end-previous',
    {},
  ),
  'POST /api/arco/merchants/{id}/resume': row(merchant, 'merchants', '/resume', {}),
  ...officeResource(
    'promises',
    () => ({ promise_id: another('ed-y'), promise_name: '时效', provider: 'jdl' }),
    { sort: 5 },
  ),
  'GET /api/arco/promises/{id}/usage': row(promise, 'promises', '/usage'),
  'GET /api/arco/promises/{id}/coverage': row(promise, 'promises', '/coverage'),
  ...officeResource('guarantees', () => ({ money: ++worth, price: 1_000_000 }), {
    price: 1_000_000,
  }),
  'GET /api/arco/guarantees/plan': { about: 'nothing' },
  'POST /api/arco/guarantees/plan': {
    about: 'nothing',
    prepare: withoutPlan,
    body: () => ({ valid_from: '2099-01-01', tiers: [{ money: 100_000, price: 200 }] }),
  },
  'POST /api/arco/guarantees/plan/withdraw': {
    about: 'row',
    make: tierPlan,
    body: (id) => ({ id }),
  },
  'GET /api/arco/guarantees/fee': {
    about: 'nothing',
    path: () => '/api/arco/guarantees/fee?value_amount=100',
  },
  'GET /api/arco/guarantees/{id}/usage': row(guarantee, 'guarantees', '/usage'),
  'GET /api/arco/contacts': { about: 'nothing' },
  'GET /api/arco/contacts/counts': { about: 'nothing' },
  'POST /api/arco/contacts': { about: 'station', body: (id) => ({ ...person, station_id: id }) },
  'GET /api/arco/contacts/{id}': contactRow(''),
  'PATCH /api/arco/contacts/{id}': contactRow('', { version: 1, name: '赵六' }),
  'POST /api/arco/contacts/{id}/status': contactRow('/status', { status: 0 }),
  'POST /api/arco/contacts/{id}/reveal': contactRow('/reveal', {}),
  ...officeResource('projects', () => ({ name: another('新方案') }), { percent_type: 2 }),
  'GET /api/arco/projects/choices': { about: 'nothing' },
  'GET /api/arco/projects/stations': { about: 'nothing' },
  'GET /api/arco/projects/{id}/usage': row(project, 'projects', '/usage'),
  'POST /api/arco/projects/{id}/copy': {
    about: 'row',
    make: project,
    path: (id) => `/api/arco/projects/${id}/copy`,
    body: () => ({ name: another('副本') }),
  },
  'POST /api/arco/projects/{id}/preview': row(project, 'projects', '/preview', {
    station_ids: [1],
    ...sample,
  }),
  'POST /api/arco/projects/{id}/stations': {
    about: 'row',
    make: projectToAssign,
    path: (id) => `/api/arco/projects/${id}/stations`,
    body: () => ({ station_ids: [idle || 1] }),
  },
  'POST /api/arco/projects/{id}/split': row(project, 'projects', '/split', {
    station_id: 1,
    ...sample,
  }),
  'GET /api/arco/vouchers': { about: 'nothing' },
  'POST /api/arco/vouchers': {
    about: 'nothing',
    body: () => ({ name: another('模板'), provider: 'jdl', promise_id: 'ed-m-0001' }),
  },
  'GET /api/arco/vouchers/{id}': row(voucher, 'vouchers', ''),
  'GET /api/arco/vouchers/{id}/usage': row(voucher, 'vouchers', '/usage'),
  'GET /api/arco/vouchers/{id}/uses': row(voucher, 'vouchers', '/uses'),
  'GET /api/arco/vouchers/{id}/versions': row(voucher, 'vouchers', '/versions'),
  'GET /api/arco/vouchers/{id}/versions/{no}': row(voucher, 'vouchers', '/versions/1'),
  'GET /api/arco/vouchers/{id}/compare': row(voucher, 'vouchers', '/compare?from=0&to=1'),
  'GET /api/arco/vouchers/{id}/impact': row(voucher, 'vouchers', '/impact'),
  'PATCH /api/arco/vouchers/{id}': row(voucher, 'vouchers', '', { version: 1, discount: 9_000 }),
  'POST /api/arco/vouchers/{id}/status': row(voucher, 'vouchers', '/status', { status: 0 }),
  'POST /api/arco/vouchers/{id}/copy': {
    ...row(voucher, 'vouchers', '/copy'),
    body: () => ({ name: another('模板') }),
  },
  'POST /api/arco/vouchers/{id}/publish': row(voucher, 'vouchers', '/publish', { version: 1 }),
  'POST /api/arco/vouchers/{id}/quote': row(voucher, 'vouchers', '/quote', route),
  'POST /api/arco/vouchers/{id}/check': row(voucher, 'vouchers', '/check', {}),
  'POST /api/arco/vouchers/{id}/impact': row(voucher, 'vouchers', '/impact', {}),
  'GET /api/arco/vouchers/{id}/prices.xlsx': row(voucher, 'vouchers', '/prices.xlsx'),
  'POST /api/arco/vouchers/{id}/prices': row(voucher, 'vouchers', '/prices', {
    file: new File(['收件省份,首重（kg）,首重价（元）\n广东,1,9'], '价格.csv'),
  }),
  'POST /api/arco/vouchers/{id}/price-list': row(voucher, 'vouchers', '/price-list', {
    file: new File(['省份,首重价（元）\n广东,9'], '报价.csv'),
  }),
  'POST /api/arco/stations/{id}/withdrawals': {
    ...atStation('/withdrawals', { amount: 1 }),
    mine: { super: [], admin: [], partner: ['parent'], station: ['own', 'colleague'], user: [] },
  },
  'POST /api/arco/stations/{id}/closing-withdrawals': {
    about: 'row',
    make: async (system) => {
      const id = await inserted(
        system,
        sql`insert into stations (name, status)
        values (${another('停用网点')}, 0) returning id`,
      );
      await system.app.db.tx(systemScope('access'), (work) =>
        topUp(work, {
          station_id: id,
          amount: 1,
          description: '',
          cause: another('access-closed-'),
          at: new Date(),
          by: null,
        }),
      );
      return id;
    },
    path: (id) => `/api/arco/stations/${id}/closing-withdrawals`,
    body: () => ({ amount: 1 }),
  },
  'POST /api/arco/stations/{id}/adjustments': atStation('/adjustments', {
    amount: 1,
    description: 'test',
  }),
  'POST /api/arco/expresses/{id}/refunds': {
    ...row(chargedParcel, 'expresses', '/refunds', { amount: 1, description: 'test' }),
    owned: true,
  },
  'POST /api/arco/expresses/{id}/payouts': {
    ...row(pickedUpParcel, 'expresses', '/payouts', { amount: 1, description: 'test' }),
    owned: true,
  },
  'GET /api/arco/statements/{id}/journal': {
    ...row(chargeLine, 'statements', '/journal'),
    owned: true,
  },
  'POST /api/arco/statements/{id}/approve': {
    ...row(request, 'statements', '/approve', {}),
    owned: true,
  },
  'POST /api/arco/statements/{id}/retract': {
    ...row(requestBy('station'), 'statements', '/retract', {}),
    owned: true,
    mine: { super: [], admin: [], partner: [], station: ['own', 'colleague'], user: [] },
  },
  'POST /api/arco/statements/{id}/decline': {
    ...row(request, 'statements', '/decline', { reason: 'test' }),
    owned: true,
  },
  'POST /api/arco/statements/{id}/reverse': {
    ...row(chargeLine, 'statements', '/reverse', { reason: 'test' }),
    owned: true,
  },
  'POST /api/arco/alerts/{id}/close': row(alert, 'alerts', '/close', { reason: 'test' }),
  'POST /api/arco/stations/{id}/unblock': {
    about: 'station',
    path: (id) => `/api/arco/stations/${id}/unblock`,
    body: () => ({ reason: 'test' }),
  },
  'GET /api/arco/stations/{id}/chain-head': atStation('/chain-head?head=0123456789abcdef'),
  'GET /api/arco/stations/{id}/statement/summary': atStation('/statement/summary?period=2026-03'),
  'GET /api/arco/stations/{id}/statement': atStation('/statement?period=2026-03&format=xlsx'),
  'POST /api/arco/stations/{id}/statement/confirm': {
    ...atStation('/statement/confirm', {
      period: firstTopUp().period,
      closing: firstTopUp().amount,
    }),
    mine: { super: [], admin: [], partner: ['parent'], station: ['own', 'colleague'], user: [] },
  },
  'POST /api/arco/periods/{period}/statements': {
    about: 'station',
    path: () => `/api/arco/periods/${firstTopUp().period}/statements`,
    body: (id) => ({ station_id: id }),
  },
  'GET /api/arco/periods/{period}/confirmations': {
    about: 'nothing',
    path: () => '/api/arco/periods/2026-03/confirmations',
  },
  'GET /api/arco/ledger/standing': { about: 'nothing' },
  'GET /api/arco/statements': { about: 'nothing' },
  'GET /api/arco/statements/counts': { about: 'nothing' },
  'GET /api/arco/ledger/proof': { about: 'nothing' },
  'GET /api/arco/ledger/proofs': { about: 'nothing' },
  'GET /api/arco/expresses/options': {
    about: 'station',
    path: (id) => `/api/arco/expresses/options?station_id=${id}`,
  },
  'POST /api/arco/expresses/quote': {
    about: 'station',
    body: (id) => ({ ...quoteBody, station_id: id }),
  },
  'POST /api/arco/expresses/coverage': {
    about: 'station',
    body: (id) => ({ ...coverageBody, station_id: id }),
  },
  'POST /api/arco/expresses': { about: 'station', body: (id) => ({ draft: 1, station_id: id }) },
  'GET /api/arco/stations': { about: 'nothing' },
  'GET /api/arco/stations/provinces': { about: 'nothing' },
  'POST /api/arco/stations': { about: 'nothing', body: () => ({ name: another('网点') }) },
  'GET /api/arco/stations/{id}': atStation(''),
  'GET /api/arco/stations/{id}/usage': atStation('/usage'),
  'GET /api/arco/stations/setups': { about: 'nothing' },
  'GET /api/arco/stations/{id}/setup': atStation('/setup'),
  'POST /api/arco/stations/{id}/setup': stationBelow('/setup', () => ({})),
  'POST /api/arco/stations/{id}/setup/end': {
    ...stationBelow('/setup/end', () => ({})),
    make: belowInSetup,
  },
  'POST /api/arco/stations/{id}/price-preview': atStation('/price-preview', {}),
  'PATCH /api/arco/stations/{id}': stationBelow('', () => ({ version: 1, address: '示例路9号' })),
  'POST /api/arco/stations/{id}/status': stationBelow('/status', () => ({ status: 0 })),
  'POST /api/arco/stations/{id}/move': stationBelow('/move', (id) => ({
    version: 1,
    parent_id: shelters.get(id) ?? 1,
  })),
  'POST /api/arco/stations/{id}/move-preview': stationBelow('/move-preview', (id) => ({
    parent_id: shelters.get(id) ?? 1,
  })),
  'POST /api/arco/stations/{id}/top-ups': {
    about: 'station',
    path: (id) => `/api/arco/stations/${id}/top-ups`,
    body: () => ({ amount: 100, description: 'test' }),
    mine: {
      super: office,
      admin: office,
      partner: ['parent'],
      station: ['own', 'colleague'],
      user: [],
    },
  },
  'GET /api/arco/expresses/{id}': parcel('ordered', ''),
  'GET /api/arco/expresses/{id}/trace': parcel('ordered', '/trace'),
  'GET /api/arco/expresses/{id}/calls': parcel('ordered', '/calls'),
  'GET /api/arco/outcomes': { about: 'nothing' },
  'GET /api/arco/expresses/{id}/outcomes': parcel('ordered', '/outcomes'),
  'GET /api/arco/expresses/{id}/price': parcel('ordered', '/price'),
  'GET /api/arco/expresses/{id}/statements': parcel('ordered', '/statements'),
  'POST /api/arco/expresses/{id}/reveal': parcel('ordered', '/reveal', {}),
  'PATCH /api/arco/expresses/{id}': parcel('draft', '', { version: 1, remark: 'x' }),
  'POST /api/arco/expresses/{id}/cancel': parcel('draft', '/cancel', { reason: 'test' }),
  'POST /api/arco/expresses/{id}/reweigh': parcel('draft', '/reweigh', { re_weight: 1_000 }),
  'POST /api/arco/expresses/{id}/order': parcel('whole', '/order', {}),
  'POST /api/arco/expresses/{id}/retry': parcel('refused', '/retry', {}),
  'GET /api/arco/expresses/{id}/audit': parcel('ordered', '/audit'),
  'POST /api/arco/expresses/bulk': {
    about: 'parcel',
    kind: 'draft',
    body: (id) => ({ action: 'cancel', ids: [id], reason: 'test' }),
  },
  'POST /api/arco/expresses/bulk/preview': {
    about: 'parcel',
    kind: 'draft',
    body: (id) => ({ action: 'cancel', ids: [id] }),
  },
  'POST /api/arco/stations/bulk': {
    ...stationBelow('', (id) => ({ action: 'disable', ids: [id] })),
    path: () => '/api/arco/stations/bulk',
  },
  'POST /api/arco/merchants/bulk': {
    about: 'row',
    make: merchant,
    body: (id) => ({ action: 'disable', ids: [id] }),
  },
  'POST /api/arco/vouchers/bulk': {
    about: 'row',
    make: voucher,
    body: (id) => ({ action: 'disable', ids: [id] }),
  },
  'POST /api/arco/contacts/bulk': {
    about: 'row',
    make: contact,
    owned: true,
    body: (id) => ({ action: 'disable', ids: [id] }),
  },
  'GET /api/arco/audit/{id}/undo': {
    about: 'row',
    owned: true,
    mine: stationBelow('', () => ({})).mine!,
    ...undoneEntry,
  },
  'POST /api/arco/audit/{id}/undo': { ...stationBelow('', () => ({})), ...undoneEntry },
  // A manager sees only the audit entries of the manager's own station.
  'GET /api/arco/audit/counts': {
    about: 'nothing',
    path: () => '/api/arco/audit/counts?subject=stations&subject_id=1',
  },
  'GET /api/arco/audit': {
    about: 'nothing',
    path: () => '/api/arco/audit?subject=stations&subject_id=1',
  },
  ...personal,
  ...handovers,
  ...imports,
};
