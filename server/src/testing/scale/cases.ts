import { expressTabs } from '@waystation/contract/express.ts';
import type pg from 'pg';

export interface Role {
  name: 'super' | 'partner' | 'station' | 'clerk';
  username: string;
  /** Of the accounts that read side by side. */
  many: string | null;
}

export const roles: readonly Role[] = [
  { name: 'super', username: 'super', many: 'super' },
  { name: 'partner', username: 'w001', many: 'partner' },
  { name: 'station', username: 'w011', many: 'station' },
  { name: 'clerk', username: 'w011-1', many: null },
];

/** Something a person waits for. `path` is called with the number of the run, so that each run may ask for something else. */
export interface Case {
  name: string;
  path(run: number): string;
  body?: unknown;
}

export interface Samples {
  rows: { id: number; delivery_id: string; order_id: string; receive_phone: string; receive_name: string; sender_name: string }[];
  station: number;
  month: string;
  day: string;
  days30: string;
}

/** Parcels that the role may see, whose numbers and names are searched for. */
export const samplesOf = async (owner: pg.Client, username: string): Promise<Samples> => {
  const { rows: account } = await owner.query<{ id: string; station_id: string | null; role: string }>(
    'select id, station_id, role from accounts where username = $1',
    [username],
  );
  const { id, station_id, role } = account[0]!;
  const { rows: below } = await owner.query<{ id: string }>(
    `with recursive b as (select id from stations where id = coalesce($1, id) and ($1::bigint is not null or parent_id is null) union select s.id from stations s join b on s.parent_id = b.id) select id from b`,
    [station_id],
  );
  const stations = role === 'partner' || role === 'super' ? below.map((row) => row.id) : [station_id];
  const { rows } = await owner.query<Samples['rows'][number]>(
    `select id::integer, delivery_id, order_id, receive_phone, receive_name, sender_name from expresses where station_id = any ($1::bigint[]) and ($2::bigint is null or user_id = $2)
      and delivery_id is not null and length(receive_name) >= 3 and terms is not null order by hashint8(id) limit 40`,
    [stations, role === 'user' ? id : null],
  );
  const { rows: times } = await owner.query<{ month: string; day: string; days30: string; station: string }>(
    `select to_char(t - interval '1 month', 'YYYY-MM') as month, to_char(t - interval '1 day', 'YYYY-MM-DD') as day, to_char(t - interval '30 days', 'YYYY-MM-DD') as days30,
      (select id from stations where id = any ($1::bigint[]) order by money desc limit 1) as station from (select max(created_at) at time zone 'Asia/Shanghai' as t from expresses) x`,
    [stations],
  );
  return { rows, ...times[0]!, station: Number(times[0]!.station) };
};

const monthsAgo = (day: string, months: number): string => {
  const at = new Date(day);
  at.setUTCMonth(at.getUTCMonth() - months, 1);
  return at.toISOString().slice(0, 10);
};

const list = '/api/arco/expresses?page_size=20';

/** The list, its next and deep pages, tabs and sorts. */
const listCases = (): Case[] => [
  { name: 'first page', path: () => list },
  { name: 'page 2', path: () => `${list}&page=2` },
  { name: 'page 500', path: () => `${list}&page=500` },
  { name: 'counts', path: () => '/api/arco/expresses/counts' },
  { name: 'counts of a filter', path: () => '/api/arco/expresses/counts?goods=茶叶' },
  ...expressTabs.map((tab) => ({ name: `tab ${tab}`, path: () => `${list}&tab=${tab}` })),
  ...['created_at', 'post_amount', '-post_amount', 'weight', '-weight', 'cal_weight', '-cal_weight', 'state_code', '-state_code'].map((sort) => ({
    name: `sort ${sort}`,
    path: () => `${list}&sort=${sort}`,
  })),
];

const filterCases = ({ day, days30, station }: Samples, role: Role['name']): Case[] =>
  Object.entries({
    'one day': `created_from=${day}&created_to=${day}`,
    '30 days': `created_from=${days30}&created_to=${day}`,
    group: 'group=in_transit',
    state: 'state_code=400',
    promise: 'promise_id=ed-m-0002',
    province: 'receive_province=海南省',
    'not printed': 'printed=0',
    'to retry': 'need_retry=1',
    goods: 'goods=茶叶',
    insured: 'insured=1',
    'amount from': 'post_amount_from=8000',
    'amount to': 'post_amount_to=900',
    'weight difference': 'weight_difference=3000',
    'arrived today': `arrived=signed_for&arrived_from=${day}&arrived_to=${day}`,
    'arrived lately': `arrived=exception&arrived_from=${days30}`,
    unmoved: 'unmoved_hours=72',
    template: 'voucher_id=3',
    ...(role === 'super' && { merchant: 'merchant_id=1' }),
    ...(role !== 'clerk' && { 'one station': `station_id=${station}` }),
  }).map(([name, query]) => ({ name: `filter ${name}`, path: () => `${list}&${query}` }));

const searchCases = ({ rows }: Samples): Case[] => {
  const at = (run: number) => rows[run % rows.length]!;
  const search = (name: string, word: (row: Samples['rows'][number]) => string): Case => ({
    name: `search ${name}`,
    path: (run) => `${list}&q=${word(at(run))}`,
  });
  return [
    search('waybill', (row) => row.delivery_id),
    search('waybill prefix', (row) => row.delivery_id.slice(0, 12)),
    search('waybill tail', (row) => row.delivery_id.slice(-6)),
    search('order number', (row) => row.order_id),
    search('phone tail', (row) => row.receive_phone.slice(-4)),
    search('name', (row) => row.receive_name),
    search('two characters', (row) => row.receive_name.slice(0, 2)),
    { name: 'search a frequent pair', path: () => `${list}&q=王伟` },
    { name: 'search two frequent pairs', path: () => `${list}&q=商贸有限` },
    { name: 'search one character', path: () => `${list}&q=王` },
    { name: 'search nothing', path: (run) => `${list}&q=JDX${900_000 + run}` },
  ];
};

const otherCases = ({ rows, station, month, day, days30 }: Samples, role: Role['name']): Case[] => {
  const at = (run: number) => rows[run % rows.length]!;
  const all: Case[] = [
    { name: 'workplace', path: () => '/api/arco/workplace' },
    { name: 'drawer', path: (run) => `/api/arco/expresses/${at(run).id}` },
    { name: 'drawer trace', path: (run) => `/api/arco/expresses/${at(run).id}/trace` },
    { name: 'drawer price', path: (run) => `/api/arco/expresses/${at(run).id}/price` },
    { name: 'drawer audit', path: (run) => `/api/arco/expresses/${at(run).id}/audit` },
    { name: 'contacts', path: () => '/api/arco/contacts?page_size=20' },
  ];
  if (role === 'clerk') return all;
  const statements = '/api/arco/statements?page_size=20';
  const ofStatements = {
    '': '',
    ' page 2': '&page=2',
    ' page 500': '&page=500',
    ' charges': '&type=charge',
    ' a rare type': '&type=release',
    ' shares': '&type=profit',
    ' that wait': '&status=pending',
    ' reversed': '&status=reversed',
    ' one month': `&period=${month}`,
    ' one day': `&posted_from=${day}&posted_to=${day}`,
    ' 30 days': `&posted_from=${days30}&posted_to=${day}`,
    ' long ago': `&posted_from=${monthsAgo(day, 6)}&posted_to=${monthsAgo(day, 6)}`,
    ' one station': `&station_id=${station}`,
    ' large': `&amount_from=50000&posted_from=${days30}`,
  };
  all.push(
    { name: 'drawer statements', path: (run) => `/api/arco/expresses/${at(run).id}/statements` },
    ...Object.entries(ofStatements).map(([name, query]) => ({ name: `statements${name}`, path: () => statements + query })),
    { name: 'statements counts', path: () => '/api/arco/statements/counts' },
    { name: 'statements waybill', path: (run) => `${statements}&q=${at(run).delivery_id}` },
    { name: "a station's month", path: () => `/api/arco/stations/${station}/statement/summary?period=${month}` },
    { name: 'stations', path: () => '/api/arco/stations?page_size=20' },
    { name: 'people', path: () => '/api/arco/users?page_size=20' },
  );
  if (role === 'partner') all.push({ name: 'station board', path: () => '/api/arco/workplace/stations' });
  if (role === 'super')
    all.push(
      { name: 'audit', path: () => '/api/arco/audit?page_size=20' },
      { name: 'audit action', path: () => `/api/arco/audit?page_size=20&action=print&at_from=${days30}` },
      { name: 'audit search', path: () => `/api/arco/audit?page_size=20&q=w011&at_from=${days30}` },
      { name: 'money board', path: () => '/api/arco/workplace/money' },
      { name: 'balance board', path: () => '/api/arco/workplace/balances' },
    );
  return all;
};

export const casesOf = (role: Role, samples: Samples): Case[] => [
  ...listCases(),
  ...filterCases(samples, role.name),
  ...searchCases(samples),
  ...otherCases(samples, role.name),
];
