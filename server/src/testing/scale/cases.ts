import {
  boundedAudit,
  boundedContactsOf,
  boundedParcels,
  boundedStatements,
  neededDays,
} from '@waystation/contract/base/bounded-lists.ts';
import type { BoundedList } from '@waystation/contract/base/bounded-lists.ts';
import { expressTabs } from '@waystation/contract/parcels/express.ts';
import { boundedPrints } from '@waystation/contract/parcels/print.ts';
import type { Role, Samples } from './samples.ts';

/**
 * A request for whose response a person waits. `path` receives the ordinal number of the run, so
 * that each run can request another row or page.
 */
export interface Case {
  name: string;
  path(run: number): string;
  body?: unknown;
  /** True if a run also requests the next page with the cursor of the first page. */
  next?: true;
  /**
   * True if the path is requested a hundred times, because docs/performance.md promises its 99th
   * percentile.
   */
  often?: true;
}

const monthsAgo = (day: string, months: number): string => {
  const at = new Date(day);
  at.setUTCMonth(at.getUTCMonth() - months, 1);
  return at.toISOString().slice(0, 10);
};

const list = '/api/arco/expresses?page_size=20';

/**
 * Adds the range of days up to `day` to the query if the list requires such a range; otherwise
 * returns the query unchanged.
 */
const within = (bounded: BoundedList, query: string, day: string): string => {
  const asked = Object.fromEntries(new URLSearchParams(query));
  const own = neededDays(
    bounded,
    { ...asked, [`${bounded.days}_to`]: asked[`${bounded.days}_to`] ?? day },
    day,
  );
  const limited =
    own === null ? query : `${query}&${bounded.days}_from=${own.from}&${bounded.days}_to=${own.to}`;
  return bounded.also ? within(bounded.also, limited, day) : limited;
};

/**
 * The cases of the parcel list: its first page, its next page, its deep pages, its tabs and its
 * sort orders.
 */
const listCases = ({ day }: Samples): Case[] => [
  { name: 'first page', path: () => list, often: true },
  { name: 'next page', path: () => list, next: true },
  { name: 'page 2', path: () => `${list}&page=2` },
  { name: 'page 500', path: () => `${list}&page=500` },
  { name: 'counts', path: () => '/api/arco/expresses/counts' },
  {
    name: 'counts of a filter',
    path: () => `/api/arco/expresses/counts?${within(boundedParcels, 'goods=茶叶', day)}`,
  },
  { name: 'counts of exceptions', path: () => '/api/arco/expresses/exceptions' },
  ...expressTabs.map((tab) => ({ name: `tab ${tab}`, path: () => `${list}&tab=${tab}` })),
  { name: 'next page of a tab', path: () => `${list}&tab=signed`, next: true },
  ...[
    'created_at',
    'post_amount',
    '-post_amount',
    'weight',
    '-weight',
    'cal_weight',
    '-cal_weight',
    'state_code',
    '-state_code',
  ].map((sort) => ({
    name: `sort ${sort}`,
    path: () => `${list}&${within(boundedParcels, `sort=${sort}`, day)}`,
  })),
  {
    name: 'next page of a sort',
    path: () => `${list}&${within(boundedParcels, 'sort=-post_amount', day)}`,
    next: true,
  },
];

const filterCases = (samples: Samples, role: Role['name']): Case[] => {
  const { day, days30, station, voucher, unused, project, user, idle, imported } = samples;
  const queries: Record<string, string> = {
    'one day': `created_from=${day}&created_to=${day}`,
    '30 days': `created_from=${days30}&created_to=${day}`,
    group: 'group=in_transit',
    state: 'state_code=400',
    promise: 'promise_id=ed-m-0002',
    province: 'receive_province=海南省',
    'not printed': 'printed=0',
    'to print': 'tab=awaiting_pickup&printed=0',
    'to retry': 'need_retry=1',
    'not to retry': 'need_retry=0',
    goods: 'goods=茶叶',
    insured: 'insured=1',
    'amount from': 'post_amount_from=8000',
    'amount to': 'post_amount_to=900',
    'weight difference': 'weight_difference=3000',
    'arrived today': `arrived=signed_for&arrived_from=${day}&arrived_to=${day}`,
    'arrived lately': 'arrived=exception',
    unmoved: 'unmoved_hours=72',
    'any exception': 'exception=any',
    'exception refused': 'exception=refused',
    template: 'voucher_id=3',
    ...(voucher !== null && { 'a template of few': `voucher_id=${voucher}` }),
    ...(unused !== null && { 'an unused template': `voucher_id=${unused}` }),
    ...(project !== null && { project: `project_id=${project}` }),
    ...(user !== null && { user: `user_id=${user}` }),
    ...(idle !== null && { 'user of none': `user_id=${idle}` }),
    ...(imported !== null && { import: `import_id=${imported}` }),
    ...(role === 'super' && { merchant: 'merchant_id=1' }),
    ...(role !== 'clerk' && { 'one station': `station_id=${station}` }),
  };
  return Object.entries(queries).map(([name, query]) => ({
    name: `filter ${name}`,
    path: () => `${list}&${within(boundedParcels, query, day)}`,
  }));
};

/** The search texts that are entered in the global search. Each of them has a name. */
const everythingCases: readonly [string, (row: Samples['rows'][number]) => string][] = [
  ['by waybill', (row) => row.delivery_id],
  ['by phone tail', (row) => row.receive_phone.slice(-4)],
  ['by two characters', (row) => [...row.receive_name].slice(0, 2).join('')],
  ['by a name', (row) => row.receive_name],
  ['by a frequent pair', () => '王伟'],
  ['by two frequent pairs', () => '商贸有限'],
  ['by initials', () => 'sz'],
];

const searchCases = ({ rows }: Samples): Case[] => {
  const at = (run: number) => rows[run % rows.length]!;
  const search = (name: string, word: (row: Samples['rows'][number]) => string): Case => ({
    name: `search ${name}`,
    path: (run) => `${list}&q=${word(at(run))}`,
    often: true,
  });
  return [
    search('waybill', (row) => row.delivery_id),
    search('waybill prefix', (row) => row.delivery_id.slice(0, 12)),
    search('waybill tail', (row) => row.delivery_id.slice(-6)),
    search('order number', (row) => row.order_id),
    search('phone tail', (row) => row.receive_phone.slice(-4)),
    search('name', (row) => row.receive_name),
    search('two characters', (row) => [...row.receive_name].slice(0, 2).join('')),
    { name: 'search a frequent pair', path: () => `${list}&q=王伟`, often: true },
    { name: 'search two frequent pairs', path: () => `${list}&q=商贸有限`, often: true },
    { name: 'search one character', path: () => `${list}&q=王`, often: true },
    { name: 'next page of one character', path: () => `${list}&q=王`, next: true },
    { name: 'search nothing', path: (run) => `${list}&q=JDX${900_000 + run}`, often: true },
    ...everythingCases.map(([name, word]) => ({
      name: `search everything ${name}`,
      path: (run: number) => `/api/arco/search?q=${word(at(run))}`,
      often: true as const,
    })),
  ];
};

const boardCases = ({ rows }: Samples): Case[] => {
  const at = (run: number) => rows[run % rows.length]!;
  return [
    { name: 'workplace', path: () => '/api/arco/workplace', often: true },
    { name: 'drawer', path: (run) => `/api/arco/expresses/${at(run).id}` },
    { name: 'drawer trace', path: (run) => `/api/arco/expresses/${at(run).id}/trace` },
    { name: 'drawer price', path: (run) => `/api/arco/expresses/${at(run).id}/price` },
    { name: 'drawer audit', path: (run) => `/api/arco/expresses/${at(run).id}/audit` },
    { name: 'imports', path: () => '/api/arco/imports?page_size=20' },
    { name: 'inbox', path: () => '/api/arco/inbox' },
    { name: 'stations to choose', path: () => '/api/arco/expresses/stations' },
    { name: 'outages', path: () => '/api/arco/outages' },
    { name: 'jobs', path: () => '/api/arco/jobs?page_size=20' },
    { name: 'views', path: () => '/api/arco/views?list=expresses' },
  ];
};

const contactCases = ({ day, station }: Samples, role: Role['name']): Case[] => {
  const bounded = boundedContactsOf(role === 'clerk' ? 'user' : role);
  const of = (query: string): string => (bounded ? within(bounded, query, day) : query);
  const queries = {
    'of a kind': 'kind=sender',
    search: 'q=王伟',
    'search phone': 'q=5678',
    disabled: 'status=0',
  };
  return [
    { name: 'contacts', path: () => '/api/arco/contacts?page_size=20' },
    ...Object.entries(queries).flatMap(([name, query]) => [
      { name: `contacts ${name}`, path: () => `/api/arco/contacts?page_size=20&${of(query)}` },
      { name: `contacts counts ${name}`, path: () => `/api/arco/contacts/counts?${of(query)}` },
    ]),
    ...(bounded
      ? [
          {
            name: 'contacts search one station',
            path: () => `/api/arco/contacts?page_size=20&q=王伟&station_id=${station}`,
          },
        ]
      : []),
  ];
};

const statementCases = ({ rows, station, month, day, days30 }: Samples): Case[] => {
  const at = (run: number) => rows[run % rows.length]!;
  const list = '/api/arco/statements?page_size=20';
  const queries = {
    'page 2': 'page=2',
    'page 500': 'page=500',
    charges: 'type=charge',
    'a rare type': 'type=release',
    shares: 'type=profit',
    'that wait': 'status=pending',
    reversed: 'status=reversed',
    'one month': `period=${month}`,
    'one day': `posted_from=${day}&posted_to=${day}`,
    '30 days': `posted_from=${days30}&posted_to=${day}`,
    'long ago': `posted_from=${monthsAgo(day, 6)}&posted_to=${monthsAgo(day, 6)}`,
    'one station': `station_id=${station}`,
    out: 'sign=out',
    large: 'amount_from=50000',
  };
  return [
    { name: 'drawer statements', path: (run) => `/api/arco/expresses/${at(run).id}/statements` },
    { name: 'statements', path: () => list, often: true },
    { name: 'statements next page', path: () => list, next: true },
    ...Object.entries(queries).map(([name, query]) => ({
      name: `statements ${name}`,
      path: () => `${list}&${within(boundedStatements, query, day)}`,
    })),
    { name: 'statements counts', path: () => '/api/arco/statements/counts' },
    { name: 'statements waybill', path: (run) => `${list}&q=${at(run).delivery_id}` },
    {
      name: "a station's month",
      path: () => `/api/arco/stations/${station}/statement/summary?period=${month}`,
    },
    { name: 'stations', path: () => '/api/arco/stations?page_size=20' },
    { name: 'station', path: () => `/api/arco/stations/${station}` },
    { name: 'people', path: () => '/api/arco/users?page_size=20' },
  ];
};

const printCases = ({ rows, user, day }: Samples): Case[] => {
  const list = '/api/arco/prints?page_size=20';
  const queries = {
    failed: 'result=failed',
    reprints: 'reprint=1',
    'often printed': 'count_from=3',
    'of a user': `user_id=${user}`,
    'one day': `created_from=${day}&created_to=${day}`,
  };
  return [
    { name: 'prints', path: () => list },
    { name: 'prints next page', path: () => list, next: true },
    ...Object.entries(queries).map(([name, query]) => ({
      name: `prints ${name}`,
      path: () => `${list}&${within(boundedPrints, query, day)}`,
    })),
    { name: 'prints waybill', path: (run) => `${list}&q=${rows[run % rows.length]!.delivery_id}` },
    { name: 'prints counts', path: () => '/api/arco/prints/counts' },
    { name: 'printers', path: () => '/api/arco/prints/printers' },
  ];
};

/** Returns one case for the row with this id. The list is empty if the network has no such row. */
const ofRow = (name: string, id: number | null, pathOf: (id: number) => string): Case[] =>
  id === null ? [] : [{ name, path: () => pathOf(id) }];

const officeCases = ({
  rows,
  day,
  month,
  station,
  voucher,
  project,
  cargo,
  promise,
  guarantee,
  merchant,
}: Samples): Case[] => {
  const audit = '/api/arco/audit?page_size=20';
  const parcel = (run: number): number => rows[run % rows.length]!.id;
  return [
    { name: 'audit', path: () => audit },
    { name: 'audit next page', path: () => audit, next: true },
    { name: 'audit action', path: () => `${audit}&${within(boundedAudit, 'action=print', day)}` },
    { name: 'audit search', path: () => `${audit}&${within(boundedAudit, 'q=w011', day)}` },
    {
      name: 'audit record',
      path: (run) =>
        `${audit}&${within(boundedAudit, `subject=expresses&subject_id=${parcel(run)}`, day)}`,
    },
    {
      name: 'audit record type',
      path: () => `${audit}&${within(boundedAudit, 'subject=cargos', day)}`,
    },
    {
      name: 'audit record id',
      path: (run) => `${audit}&${within(boundedAudit, `subject_id=${parcel(run)}`, day)}`,
    },
    { name: 'audit counts', path: () => '/api/arco/audit/counts' },
    {
      name: 'audit counts record type',
      path: () => `/api/arco/audit/counts?${within(boundedAudit, 'subject=cargos', day)}`,
    },
    { name: 'money board', path: () => '/api/arco/workplace/money' },
    { name: 'balance board', path: () => '/api/arco/workplace/balances' },
    { name: 'bill board', path: () => '/api/arco/workplace/bills' },
    { name: 'bills', path: () => '/api/arco/reconciliations?page_size=20' },
    { name: 'books', path: () => '/api/arco/periods' },
    { name: 'proofs', path: () => '/api/arco/ledger/proofs' },
    { name: 'templates', path: () => '/api/arco/vouchers?page_size=20' },
    { name: 'projects', path: () => '/api/arco/projects?page_size=20' },
    { name: 'promises', path: () => '/api/arco/promises?page_size=20' },
    { name: 'merchants', path: () => '/api/arco/merchants?page_size=20' },
    { name: 'goods', path: () => '/api/arco/cargos?page_size=20' },
    { name: 'insurance', path: () => '/api/arco/guarantees?page_size=20' },
    ...Object.entries({
      vouchers: voucher,
      projects: project,
      cargos: cargo,
      promises: promise,
      guarantees: guarantee,
      merchants: merchant,
      stations: station,
    }).flatMap(([what, id]) =>
      ofRow(`use of ${what}`, id, (of) => `/api/arco/${what}/${of}/usage`),
    ),
    ...ofRow('uses of a template', voucher, (of) => `/api/arco/vouchers/${of}/uses`),
    ...ofRow('where a time is offered', promise, (of) => `/api/arco/promises/${of}/coverage`),
    ...ofRow('calls of an account', merchant, (of) => `/api/arco/merchants/${of}/calls`),
    { name: 'station’s set-up', path: () => `/api/arco/stations/${station}/setup` },
    { name: 'set-ups', path: () => '/api/arco/stations/setups' },
    { name: 'confirmations', path: () => `/api/arco/periods/${month}/confirmations` },
    { name: 'standing of the ledger', path: () => '/api/arco/ledger/standing' },
  ];
};

export const casesOf = (role: Role, samples: Samples): Case[] => [
  ...listCases(samples),
  ...filterCases(samples, role.name),
  ...searchCases(samples),
  ...boardCases(samples),
  ...contactCases(samples, role.name),
  ...(role.name === 'clerk' ? [] : [...statementCases(samples), ...printCases(samples)]),
  ...(role.name === 'partner'
    ? [{ name: 'station board', path: () => '/api/arco/workplace/stations' }]
    : []),
  ...(role.name === 'super' ? officeCases(samples) : []),
];
