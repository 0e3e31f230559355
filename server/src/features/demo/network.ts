import { randomBytes } from 'node:crypto';
import { firstOf, present } from '@waystation/contract/base/present.ts';
import type { App } from '#app.ts';
import { makePushSecret, secretPurpose } from '#domain/merchant-secrets/merchant-secrets.ts';
import { hashPassword } from '#platform/auth/password.ts';
import { sql } from '#platform/db/db.ts';
import type { Work } from '#platform/db/db.ts';
import { exampleGoods } from './places.ts';
import { exampleTemplate } from './templates.ts';

/**
 * The published example keys that the carrier simulator accepts; they give access to nothing else.
 */
export const exampleKeys = {
  app_key: 'demoappkey0000000000000000000001',
  app_secret: 'demosecret000000000000000000000a',
  access_token: 'demotoken0000000000000000000000b',
  customer_code: '010K000001',
};

const promises = [
  {
    promise_id: 'ed-m-0001',
    promise_name: '京东标快',
    english: 'JD Standard',
    cutoff_time: '18:00',
    list: { first: 1000, step: 180, divisor: 8_000 },
  },
  {
    promise_id: 'ed-m-0002',
    promise_name: '京东特快',
    english: 'JD Express',
    cutoff_time: '16:30',
    list: { first: 1500, step: 420, divisor: 8_000 },
  },
  {
    promise_id: 'ed-m-0012',
    promise_name: '特惠包裹',
    english: 'Economy parcel',
    cutoff_time: '18:00',
    list: { first: 800, step: 150, divisor: 6_000 },
  },
] as const;

const insurance = [
  [50_000, 100],
  [100_000, 200],
  [200_000, 400],
  [500_000, 1_000],
  [1_000_000, 2_500],
  [3_000_000, 9_000],
] as const;

/**
 * The stations, in three levels: partners, stations below them, and an outlet below a station.
 * `share` is the station's part of the demo's parcels in per mille. `lately` is its part in the
 * last days, if it differs.
 */
const stations = [
  {
    key: 'south',
    parent: null,
    name: '示例华南合伙人',
    place: ['广东省', '广州市', '天河区', '示例路1号'],
    discount: 7_500,
    share: 20,
    profit_limit: 500,
  },
  {
    key: 'nanshan',
    parent: 'south',
    name: '示例深圳南山站',
    place: ['广东省', '深圳市', '南山区', '示例科技路2号'],
    discount: 8_500,
    share: 380,
    profit: 400,
  },
  {
    key: 'keji',
    parent: 'nanshan',
    name: '示例科技园驿点',
    place: ['广东省', '深圳市', '南山区', '示例高新路3号'],
    discount: 9_000,
    share: 90,
    profit: 300,
  },
  {
    key: 'tianhe',
    parent: 'south',
    name: '示例广州天河站',
    place: ['广东省', '广州市', '天河区', '示例大道4号'],
    discount: 8_800,
    share: 170,
    lately: 90,
    profit: 400,
  },
  {
    key: 'east',
    parent: null,
    name: '示例华东合伙人',
    place: ['浙江省', '杭州市', '西湖区', '样例路5号'],
    discount: 7_800,
    share: 20,
    profit_limit: 500,
  },
  {
    key: 'pudong',
    parent: 'east',
    name: '示例上海浦东站',
    place: ['上海市', '上海市', '浦东新区', '样例大道6号'],
    discount: 8_600,
    share: 200,
    profit: 350,
  },
  {
    key: 'yuhang',
    parent: 'east',
    name: '示例杭州余杭站',
    place: ['浙江省', '杭州市', '余杭区', '样例街7号'],
    discount: 8_900,
    share: 120,
    profit: 350,
  },
] as const;

export interface DemoStation {
  id: number;
  key: string;
  /** The key of the station at the top of this station's network tree. */
  tree: string;
  share: number;
  /** The share of the parcels of the last days that this station gets. */
  lately: number;
  place: readonly [string, string, string, string];
  sender_name: string;
  sender_phone: string;
  clerks: number[];
}

export interface DemoNetwork {
  stations: DemoStation[];
  merchant_id: number;
  push_secret: string;
  /**
   * The id of the super admin's account; `admin` and `station` are the ids of the other two
   * accounts.
   */
  office: number;
  admin: number;
  station: number;
}

const insertId = async (
  query: ReturnType<typeof sql<{ id: number }>>,
  work: Work,
): Promise<number> => firstOf((await query.execute(work.tx)).rows).id;

const insertGoods = async (work: Work): Promise<void> => {
  for (const [index, { name, type }] of exampleGoods.entries())
    await work.tx
      .insertInto('cargos')
      .values({ name, type, provider: 'jdl', priority: 1000 - index * 10 })
      .execute();
  for (const [money, price] of insurance)
    await work.tx.insertInto('guarantees').values({ money, price }).execute();
};

/**
 * Adds delivery times, and a template for each with one version that was published before the
 * demo's first parcel. Also adds the scheme that connects them.
 */
const insertScheme = async (work: Work, since: Date): Promise<number> => {
  const project = await insertId(
    sql`insert into projects (name, percent_type)
    values ('示例运费方案', 1) returning id`,
    work,
  );
  for (const { promise_id, promise_name, english, cutoff_time, list } of promises) {
    await work.tx
      .insertInto('promises')
      .values({ promise_id, promise_name, promise_name_en: english, cutoff_time, provider: 'jdl' })
      .execute();
    const weight = JSON.stringify(exampleTemplate(list));
    const voucher = await insertId(
      sql`insert into vouchers (name, provider, promise_id, discount, northeast_discount,
        weight) values (${`示例${promise_name}`}, 'jdl', ${promise_id}, 9500, 9800,
        ${weight}::jsonb) returning id`,
      work,
    );
    await work.tx
      .insertInto('voucher_versions')
      .values({
        voucher_id: voucher,
        no: 1,
        valid_from: since,
        discount: 9500,
        northeast_discount: 9800,
        weight,
        published_at: since,
      })
      .execute();
    await work.tx
      .insertInto('project_vouchers')
      .values({ project_id: project, provider: 'jdl', promise_id, voucher_id: voucher })
      .execute();
  }
  return project;
};

const insertMerchant = async (
  app: App,
  work: Work,
): Promise<{ id: number; push_secret: string }> => {
  const seal = (field: 'access_token' | 'app_key' | 'app_secret'): Buffer =>
    app.secrets.seal(exampleKeys[field], secretPurpose(field));
  const tails = JSON.stringify(
    Object.fromEntries(
      (['access_token', 'app_key', 'app_secret'] as const).map((field) => [
        field,
        exampleKeys[field].slice(-4),
      ]),
    ),
  );
  const { secret, columns } = makePushSecret(app.secrets);
  const row = await work.tx
    .insertInto('merchants')
    .values({
      push_secret: columns.push_secret,
      push_secret_hash: columns.push_secret_hash,
      name: '示例商家账号（模拟）',
      provider: 'jdl',
      customer_code: exampleKeys.customer_code,
      access_token: seal('access_token'),
      app_key: seal('app_key'),
      app_secret: seal('app_secret'),
      secret_tails: tails,
      base_url: app.config.simulator.url,
      is_default: 1,
      simulated: 1,
      province: '广东省',
      city: '广州市',
      county: '天河区',
      address: '示例路1号',
      sender_name: '示例仓库',
      sender_phone: '020-38000000',
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return { id: row.id, push_secret: secret };
};

const insertStations = async (work: Work, project: number, since: Date): Promise<DemoStation[]> => {
  const made = new Map<string, DemoStation>();
  for (const [index, station] of stations.entries()) {
    const parent = station.parent === null ? null : present(made.get(station.parent)).id;
    const profit = 'profit' in station ? station.profit : 0;
    const profit_limit = 'profit_limit' in station ? station.profit_limit : 0;
    const [province, city, county, address] = station.place;
    const sender_phone = `138000010${String(index + 10).padStart(2, '0')}`;
    const id = await insertId(
      sql`insert into stations (name, parent_id, province, city, county, address, discount,
        northeast_discount, project_id, sender_name, sender_phone, profit, enable_profit,
        profit_limit, created_at)
        values (${station.name}, ${parent}, ${province}, ${city}, ${county}, ${address},
          ${station.discount}, ${Math.min(10_000, station.discount + 500)}, ${project},
          ${station.name}, ${sender_phone}, ${profit}, ${profit > 0 ? 1 : 0}, ${profit_limit},
          ${since}) returning id`,
      work,
    );
    made.set(station.key, {
      id,
      key: station.key,
      tree: station.parent === null ? station.key : present(made.get(station.parent)).tree,
      share: station.share,
      lately: 'lately' in station ? station.lately : station.share,
      place: station.place,
      sender_name: station.name,
      sender_phone,
      clerks: [],
    });
  }
  return [...made.values()];
};

interface NewAccount {
  username: string;
  nickname: string;
  role: string;
  station_id: number | null;
  password_hash: string;
}

const insertAccount = (work: Work, account: NewAccount, since: Date): Promise<number> =>
  insertId(
    sql`insert into accounts (username, nickname, role, station_id, password_hash,
      registered_at, location, may_export) values (${account.username}, ${account.nickname},
      ${account.role}, ${account.station_id}, ${account.password_hash}, ${since}, '示例',
      ${account.role === 'user' ? 0 : 1}) returning id`,
    work,
  );

/** Adds the five demo accounts, and one clerk per station with a random password. */
const insertAccounts = async (
  app: App,
  work: Work,
  made: DemoStation[],
  since: Date,
): Promise<Pick<DemoNetwork, 'office' | 'admin' | 'station'>> => {
  const password_hash = await hashPassword(app.config.demoPassword);
  const locked = await hashPassword(randomBytes(24).toString('hex'));
  const at = (key: string): DemoStation => present(made.find((station) => station.key === key));
  const insert = (
    username: string,
    nickname: string,
    role: string,
    station_id: number | null = null,
  ) => insertAccount(work, { username, nickname, role, station_id, password_hash }, since);
  const office = await insert('super', '示例超级管理员', 'super');
  const admin = await insert('admin', '示例管理员', 'admin');
  await insert('partner', '示例合伙人', 'partner', at('south').id);
  const { id: nanshan, clerks } = at('nanshan');
  const station = await insert('station', '示例站长', 'station', nanshan);
  clerks.push(await insert('clerk', '示例店员', 'user', nanshan));
  for (const { key, id, clerks } of made)
    clerks.push(
      await insertAccount(
        work,
        {
          username: `clerk-${key}`,
          nickname: '示例店员乙',
          role: 'user',
          station_id: id,
          password_hash: locked,
        },
        since,
      ),
    );
  return { office, admin, station };
};

/**
 * Creates the setup that an administrator would make: goods, insurance, promises, templates,
 * scheme, carrier account, stations and people.
 */
export const buildNetwork = async (app: App, work: Work, since: Date): Promise<DemoNetwork> => {
  await insertGoods(work);
  const project = await insertScheme(work, since);
  const merchant = await insertMerchant(app, work);
  const made = await insertStations(work, project, since);
  const accounts = await insertAccounts(app, work, made, since);
  return {
    stations: made,
    merchant_id: merchant.id,
    push_secret: merchant.push_secret,
    ...accounts,
  };
};
