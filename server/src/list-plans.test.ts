import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Role } from '@waystation/contract/base/roles.ts';
import { counts as contactCounts, list as contacts } from '#features/stations/contact-rows.ts';
import { list as carrierCalls } from '#features/merchants/calls.ts';
import { list as merchants } from '#features/merchants/merchants.ts';
import { list as cargos } from '#features/setup/cargos.ts';
import { list as guarantees } from '#features/setup/guarantees.ts';
import { list as promises } from '#features/setup/promises.ts';
import { list as vouchers, uses as voucherUses } from '#features/vouchers/vouchers.ts';
import { list as stationList, usage as stationUsage } from '#features/stations/stations.ts';
import { list as outcomes } from '#features/parcels/order-outcomes.ts';
import * as handovers from '#features/handovers/list.ts';
import * as imports from '#features/imports/imports.ts';
import { read as inbox } from '#features/inbox/inbox.ts';
import * as audit from '#features/people/audit.ts';
import { counts } from '#features/parcels/counts.ts';
import * as exceptions from '#features/parcels/exceptions.ts';
import { list as parcels } from '#features/parcels/list.ts';
import { rollUpCounts } from '#features/parcels/roll-up.ts';
import { board as workplace } from '#features/workplace/workplace.ts';
import * as boards from '#features/workplace/boards.ts';
import * as months from '#features/money/station-statements.ts';
import { figures as printerFigures } from '#features/prints/printers.ts';
import * as prints from '#features/prints/prints.ts';
import * as reconciliations from '#features/reconciliation/reconciliations.ts';
import * as statements from '#features/money/statements.ts';
import { list as jobs } from '#features/user-jobs/jobs.ts';
import { search } from '#features/search/search.ts';
import type { Actor } from '#platform/auth/actor.ts';
import { standingClock } from '#platform/clock.ts';
import { oneRow, sql } from '#platform/db/db.ts';
import type { Db } from '#platform/db/db.ts';
import { namesItsColumns } from '#platform/db/prepared.ts';
import { systemScope } from '#platform/db/scope.ts';
import { fillRows } from '#testing/listed-rows.ts';
import type { Network } from '#testing/listed-rows.ts';
import { openOwner } from '#testing/money.ts';
import { readLists } from '#testing/read-lists.ts';
import { watchPlans } from '#testing/plans.ts';
import { lists as allLists } from './lists.ts';
import { routes } from './routes.ts';
import { addAccount, addStation } from '#testing/stations.ts';
import { createTestApp } from '#testing/test-app.ts';
import type { TestApp } from '#testing/test-app.ts';

/**
 * Reads a list. `counted`: the number of rows that the list counts and does not show; these rows
 * must be read, too.
 */
type Read = (app: TestApp, actor: Actor) => Promise<{ counted: number } | object>;
type Who = 'super' | 'partner' | 'station' | 'user';

const sizes = [2_000, 8_000] as const;
/** The regions for which the freight template has prices. */
const pricedAreas = [
  '110000',
  '120000',
  '130000',
  '140000',
  '150000',
  '160000',
  '170000',
  '180000',
  '190000',
];
let app: TestApp;
let owner: Db;
let plans: ReturnType<typeof watchPlans>;
/** The ids of the partner's stations, and of another station that has profit shares. */
let sharing: number[] = [];
const actors = {} as Record<Who, Actor>;
/**
 * The number of rows read for each of the first two pages; the key contains the list and the size.
 */
const read = new Map<string, number[]>();
/** The statements of each list that select `*` instead of listing their columns. */
const starred = new Map<string, string[]>();

const actorOf = (role: Role, account_id: number, stations: number[]): Actor => ({
  account_id,
  username: role,
  nickname: '',
  role,
  station_id: stations[0] ?? null,
  stations,
  token_hash: Buffer.alloc(0),
  session_id: 0,
  must_change: 0,
  needs_second_factor: 0,
  made_under: null,
  may_export: 1,
});

/** Adds rows with `fillRows`, then updates the sums and analyzes the tables. */
const fill = async (network: Network, from: number, size: number): Promise<void> => {
  await fillRows(owner, network, from, size);
  await rollUpCounts(app);
  // The tables are vacuumed too, because the product's tables have hardly any deleted rows either.
  await owner.pool.query(
    'vacuum analyze expresses, express_counts, express_count_sums, express_days, express_day_sums, express_uses, statements, statement_months, statement_days, audit_log, contacts, contact_keys, prints, handovers, handover_scans, imports, import_rows, carrier_calls, order_outcomes, inbox_entries, user_jobs, reconciliations, reconciliation_rows',
  );
};

interface Page {
  next_cursor: string | null;
}

/** The first page of a list and the one after it. */
const twoPages =
  (
    handle: (app: TestApp, actor: Actor, filters: never) => Promise<Page>,
    filters: object = {},
  ): Read =>
  async (on, actor) => {
    const { next_cursor } = await handle(on, actor, filters as never);
    return next_cursor === null
      ? {}
      : handle(on, actor, { ...filters, cursor: next_cursor } as never);
  };

/** Returns the application with its clock set to the time of the newest rows. */
const at = (on: TestApp): TestApp => ({
  ...on,
  clock: standingClock(new Date('2026-03-02T04:00:00Z')),
});

const stationBoard: Read = async (on, actor) => {
  const { items } = await boards.stations(at(on), actor, {});
  return { counted: items.reduce((sum, { stuck }) => sum + stuck.count, 0) };
};

const exceptionCounts: Read = async (on, actor) => {
  const { counts: open } = await exceptions.counts(on, actor, {});
  // One row of each kind is subtracted, so that no plan seems to read zero rows.
  return { counted: Object.values(open).reduce((sum, n) => sum + Math.max(n - 1, 0), 0) };
};

/** The number of prints within the chosen days: each of them is read and counted. */
const printed: Read = async (on, actor) => ({
  counted: (await printerFigures(at(on), actor, {})).printers.reduce(
    (sum, { total }) => sum + total,
    -1,
  ),
});

/** Each call of the last day is counted. */
const accountsShown: Read = async (on, actor) => ({
  counted: (await merchants(at(on), actor, {})).items.reduce(
    (sum, { calls_24h }) => sum + calls_24h,
    0,
  ),
});

/** The number of lines of all bills: the list adds up each line. */
const billsShown: Read = async (on, actor) => {
  const { items } = await reconciliations.list(on, actor, {});
  return {
    counted: items.flatMap(({ buckets }) => buckets).reduce((sum, { count }) => sum + count, 0),
  };
};

/**
 * Runs a read with the real time as the current time, because the database's clock dated the rows.
 */
const lately =
  <F, P>(handle: (app: TestApp, actor: Actor, filters: F) => Promise<P>) =>
  (on: TestApp, actor: Actor, filters: F): Promise<P> =>
    handle({ ...on, clock: standingClock(new Date()) }, actor, filters);

const createdDays = { created_from: '2026-02-01', created_to: '2026-02-05' };
const someDays = { posted_from: '2026-02-01', posted_to: '2026-02-05' };
/** Returns a filter for the days on which the rare rows were created. */
const rareDays = <N extends string>(name: N) =>
  ({ [`${name}_from`]: '2025-12-10', [`${name}_to`]: '2025-12-12' }) as Record<
    `${N}_from` | `${N}_to`,
    string
  >;
/** Returns a read of all groups of results that the global search finds. */
const searched =
  (q: string): Read =>
  (on, actor) =>
    search(allLists)(on, actor, { q });
const everyone: Who[] = ['super', 'partner', 'station', 'user'];
const managers: Who[] = ['super', 'partner', 'station'];
type Filters = Parameters<typeof audit.list>[2] & Parameters<typeof contacts>[2];
type Counts = (app: TestApp, actor: Actor, filters: never) => Promise<object>;
type Listing = [name: string, read: Read, who: Who[]];
/**
 * Returns two list reads for each filter: the first two pages of rare rows, and the counts of rare
 * rows.
 */
const rare = (
  what: string,
  { list, counting }: { list: Parameters<typeof twoPages>[0]; counting: Counts },
  who: Who[],
  filters: Readonly<Record<string, Partial<Filters>>>,
): Listing[] =>
  Object.entries(filters).flatMap(([name, given]): Listing[] => [
    [`${what} ${name}`, twoPages(list, given), who],
    [`counts of ${what} ${name}`, (on, actor) => counting(on, actor, given as never), who],
  ]);
const lists: Listing[] = [
  // If the scope has several stations or several states, platform/db/newest.ts reads these lists.
  ['parcels', twoPages(parcels), ['super', 'partner', 'station', 'user']],
  [
    'parcels, oldest first',
    twoPages(parcels, { sort: 'created_at' }),
    ['super', 'partner', 'station', 'user'],
  ],
  [
    'parcels of a frequent tab',
    twoPages(parcels, { tab: 'signed' }),
    ['super', 'partner', 'station'],
  ],
  ['parcels of a rare tab', twoPages(parcels, { tab: 'failed' }), ['super', 'partner', 'station']],
  [
    'parcels of a tab of several states',
    twoPages(parcels, { tab: 'in_transit' }),
    ['super', 'partner', 'station'],
  ],
  [
    'parcels of some days',
    twoPages(parcels, { created_from: '2026-02-01', created_to: '2026-02-05' }),
    ['super', 'partner', 'station', 'user'],
  ],
  [
    'parcels with a waybill',
    twoPages(parcels, { group: 'total' }),
    ['super', 'partner', 'station', 'user'],
  ],
  ['open exceptions', twoPages(parcels, { exception: 'any' }), everyone],
  ['open exceptions of a kind', twoPages(parcels, { exception: 'refused' }), everyone],
  [
    'parcels that have not moved for long',
    twoPages((on: TestApp, actor: Actor, filters: never) => parcels(at(on), actor, filters), {
      unmoved_hours: 72,
    }),
    everyone,
  ],
  ['counts of open exceptions', exceptionCounts, everyone],
  ['counts of parcels', (on, actor) => counts(on, actor, {}), everyone],
  ['counts of a tab', (on, actor) => counts(on, actor, { tab: 'failed' }), everyone],
  ['counts of several states', (on, actor) => counts(on, actor, { group: 'in_transit' }), everyone],
  ['billing lines', twoPages(statements.list), managers],
  ['billing lines of a waybill', twoPages(statements.list, { q: 'W17' }), managers],
  [
    'counts of billing lines of a waybill',
    (on, actor) => statements.counts(on, actor, { q: 'W17' }),
    managers,
  ],
  // Most transactions are newer than the chosen month, and must not be read.
  ['billing lines of an old month', twoPages(statements.list, { period: '2026-01' }), managers],
  [
    'billing lines of an old month, oldest first',
    twoPages(statements.list, { period: '2026-01', sort: 'posted_at' }),
    managers,
  ],
  ['billing lines of a rare type', twoPages(statements.list, { type: ['refund'] }), managers],
  [
    'billing lines of a rare type, oldest first',
    twoPages(statements.list, { type: ['refund'], sort: 'posted_at' }),
    managers,
  ],
  [
    'billing lines of several rare types',
    twoPages(statements.list, { type: ['refund', 'payout', 'top_up'] }),
    managers,
  ],
  [
    'billing lines of shares where there are none',
    twoPages(statements.list, { type: ['profit'] }),
    ['partner', 'station'],
  ],
  // This case has stations with rows and stations without rows.
  [
    'billing lines of shares',
    (on, actor) =>
      twoPages(statements.list, { type: ['profit'] })(on, { ...actor, stations: sharing }),
    ['partner'],
  ],
  // The chosen days lie between newer and older transactions, which must not be read.
  ['billing lines of some days', twoPages(statements.list, someDays), managers],
  [
    'billing lines of some days, oldest first',
    twoPages(statements.list, { ...someDays, sort: 'posted_at' }),
    managers,
  ],
  [
    'large amounts of some days',
    twoPages(statements.list, { ...someDays, amount_from: 50_000 }),
    managers,
  ],
  [
    'counts of large amounts of some days',
    (on, actor) => statements.counts(on, actor, { ...someDays, amount_from: 50_000 }),
    managers,
  ],
  ['a deep page of billing lines', twoPages(statements.list, { page: 15 }), managers],
  [
    'a deep page of billing lines, oldest first',
    twoPages(statements.list, { page: 15, sort: 'posted_at' }),
    managers,
  ],
  ['a deep page of parcels', twoPages(parcels, { page: 15 }), managers],
  ['requests that wait', twoPages(statements.list, { status: 'pending' }), managers],
  ['lines that were taken back', twoPages(statements.list, { status: 'reversed' }), managers],
  ['counts of billing lines', (on, actor) => statements.counts(on, actor, {}), managers],
  [
    'counts of charges',
    (on, actor) => statements.counts(on, actor, { type: ['charge'] }),
    managers,
  ],
  [
    'counts of billing lines of a month',
    (on, actor) => statements.counts(on, actor, { period: '2026-03' }),
    managers,
  ],
  [
    'counts of billing lines of some days',
    (on, actor) =>
      statements.counts(on, actor, { posted_from: '2026-02-01', posted_to: '2026-02-05' }),
    managers,
  ],
  [
    'a station’s month',
    (on, actor) => months.summary(on, actor, { id: actors.station.station_id!, period: '2026-03' }),
    managers,
  ],
  [
    'confirmations of a month',
    (on, actor) => months.confirmations(on, actor, { period: '2026-03' }),
    ['super', 'partner'],
  ],
  ['audit log', twoPages(audit.list), ['super']],
  ...rare('changes', { list: audit.list, counting: audit.counts }, ['super'], {
    'of a request': { request_id: 'rare' },
    'of a record': { subject: 'expresses', subject_id: 17 },
    'of a type of records, of some days': { subject: 'cargos', ...rareDays('at') },
    'of an id, of some days': { subject_id: 1, ...rareDays('at') },
    'of an action, of some days': { action: 'remove', ...rareDays('at') },
    'of an account, of some days': { account_name: 'b', ...rareDays('at') },
    'of a search, of some days': { q: 'b', ...rareDays('at') },
  }),
  [
    'changes of a record',
    twoPages(audit.list, { subject: 'expresses', subject_id: 17 }),
    ['partner', 'station'],
  ],
  ['hand-overs', twoPages(handovers.list), everyone],
  ['hand-overs, oldest first', twoPages(handovers.list, { sort: 'opened_at' }), everyone],
  // A clerk has few hand-overs within five days, so all of them are read and sorted.
  [
    'hand-overs of some days',
    twoPages(handovers.list, { opened_from: '2026-02-01', opened_to: '2026-02-05' }),
    managers,
  ],
  [
    'hand-overs of a person',
    (on, actor) => twoPages(handovers.list, { user_id: actors.user.account_id })(on, actor),
    managers,
  ],
  ['hand-overs of a waybill', (on, actor) => handovers.list(on, actor, { q: 'W44' }), everyone],
  [
    'hand-overs with a status, of some days',
    twoPages(handovers.list, { status: 'discarded', ...rareDays('opened') }),
    managers,
  ],
  [
    'counts of hand-overs with a status, of some days',
    (on, actor) => handovers.counts(on, actor, { status: 'discarded', ...rareDays('opened') }),
    managers,
  ],
  [
    'hand-overs of a carrier, of some days',
    twoPages(handovers.list, { provider: 'sf', ...rareDays('opened') }),
    managers,
  ],
  ['print records', twoPages(prints.list), managers],
  ['print records, oldest first', twoPages(prints.list, { sort: 'created_at' }), managers],
  [
    'print records of some days',
    twoPages(prints.list, { created_from: '2026-02-01', created_to: '2026-02-05' }),
    managers,
  ],
  [
    'print records of a person',
    (on, actor) => twoPages(prints.list, { user_id: actors.user.account_id })(on, actor),
    managers,
  ],
  ['print records of a waybill', (on, actor) => prints.list(on, actor, { q: 'W30' }), managers],
  [
    'print records with a result',
    twoPages(prints.list, { result: 'sent', created_from: '2026-02-01', created_to: '2026-02-05' }),
    managers,
  ],
  ['failed print records', twoPages(prints.list, { result: 'failed', ...createdDays }), managers],
  ['reprints', twoPages(prints.list, { reprint: 1, ...createdDays }), managers],
  [
    'labels printed several times',
    twoPages(prints.list, { count_from: 3, ...createdDays }),
    managers,
  ],
  [
    'counts of failed print records',
    (on, actor) => prints.counts(on, actor, { result: 'failed', ...createdDays }),
    managers,
  ],
  [
    'counts of reprints',
    (on, actor) => prints.counts(on, actor, { reprint: 1, ...createdDays }),
    managers,
  ],
  [
    'counts of print records of a waybill',
    (on, actor) => prints.counts(on, actor, { q: 'W30' }),
    managers,
  ],
  [
    'counts of print records of a batch',
    (on, actor) => prints.counts(on, actor, { batch_id: 1 }),
    managers,
  ],
  [
    'counts of print records of a person',
    (on, actor) => prints.counts(on, actor, { user_id: actors.partner.account_id }),
    managers,
  ],
  [
    'counts of print records by a driver, of some days',
    (on, actor) => prints.counts(on, actor, { driver: 'zpl', ...rareDays('created') }),
    managers,
  ],
  [
    'counts of print records with a result, of some days',
    (on, actor) => prints.counts(on, actor, { result: 'unreported', ...rareDays('created') }),
    managers,
  ],
  // This list reads the newest prints of some days, at most 100,000.
  ['printer figures', printed, managers],
  ['contacts', twoPages(contacts), everyone],
  ['contacts of a kind', twoPages(contacts, { kind: 'receive' }), ['partner', 'station', 'user']],
  [
    'contacts of a kind, of some days',
    twoPages(contacts, { kind: 'receive', updated_from: '2026-02-01', updated_to: '2026-02-05' }),
    ['super'],
  ],
  ...rare('contacts', { list: contacts, counting: contactCounts }, ['partner', 'station', 'user'], {
    'of a rare kind': { kind: 'sender' },
  }),
  ...rare('contacts', { list: contacts, counting: contactCounts }, ['super'], {
    'of a rare kind, of some days': { kind: 'sender', ...rareDays('updated') },
  }),
  // If the scope has one station, its whole address book is read (`mostContacts`).
  ...rare('contacts', { list: contacts, counting: contactCounts }, ['super', 'partner'], {
    'of a search, of some days': { q: '赵六', ...rareDays('updated') },
    'of a province, of some days': { province: '海南省', ...rareDays('updated') },
    'that are disabled, of some days': { status: 0, ...rareDays('updated') },
  }),
  ['contacts, oldest first', twoPages(contacts, { sort: 'updated_at' }), everyone],
  ['parcels of an import', (on, actor) => parcels(on, actor, { import_id: 1 }), everyone],
  [
    'parcels of a person',
    (on, actor) => twoPages(parcels, { user_id: actors.user.account_id })(on, actor),
    everyone,
  ],
  ['parcels of a carrier account', twoPages(parcels, { merchant_id: 1 }), ['super']],
  [
    'parcels of a template of some days',
    twoPages(parcels, { voucher_id: 1, ...createdDays }),
    everyone,
  ],
  [
    'shares from a station of some days',
    (on, actor) =>
      twoPages(statements.list, { earned_from: actors.station.station_id!, ...someDays })(
        on,
        actor,
      ),
    managers,
  ],
  [
    'billing lines of closed months of some days',
    twoPages(statements.list, { closed: 1, ...someDays }),
    managers,
  ],
  ['orders of unknown outcome', twoPages(outcomes), ['super']],
  [
    'orders of unknown outcome of a station',
    (on, actor) => twoPages(outcomes, { station_id: actors.station.station_id! })(on, actor),
    ['super'],
  ],
  ['calls of a carrier account', twoPages(lately(carrierCalls), { id: 1 }), ['super']],
  ['bills', billsShown, ['super']],
  ['lines of a bill', twoPages(reconciliations.lines, { id: 1 }), ['super']],
  ['bill board', (on, actor) => boards.bills(on, actor), ['super']],
  ['jobs', (on, actor) => jobs({ ...on, clock: standingClock(new Date()) }, actor), ['user']],
  ['inbox', (on, actor) => inbox(on, actor), ['super', 'user']],
  // The list also shows each station's orders of the last thirty days.
  ['stations', (on, actor) => stationList(at(on), actor, {}), managers],
  [
    'what goes on in a station',
    (on, actor) => stationUsage(at(on), actor, { id: sharing[1]! }),
    managers,
  ],
  ['templates', (on, actor) => vouchers(at(on), actor, {}), ['super']],
  [
    'lines of a template with what they priced',
    (on, actor) => voucherUses(at(on), actor, { id: 1 }),
    ['super'],
  ],
  ['carrier accounts', accountsShown, ['super']],
  ['goods', (on, actor) => cargos(on, actor, {}), ['super']],
  ['insurance tiers', (on, actor) => guarantees(on, actor, {}), ['super']],
  ['delivery times', (on, actor) => promises(on, actor, {}), ['super']],
  ['Workplace', (on, actor) => workplace(at(on), actor), everyone],
  ['money board', (on, actor) => boards.money(at(on), actor, {}), ['super']],
  [
    'money board of one station',
    (on, actor) => boards.money(at(on), actor, { station_id: actors.station.station_id! }),
    ['super'],
  ],
  ['balance board', (on, actor) => boards.balances(at(on), actor, {}), ['super']],
  ['station board', stationBoard, ['partner']],
  ['global search by name', searched('王五'), everyone],
  ['global search by the end of a phone', searched('0005'), everyone],
  ['imports', twoPages(imports.list), everyone],
  // The rows of an import are adjacent in the index, so that rows of other imports are not read.
  ['rows of an import', (on, actor) => imports.rows(on, actor, { id: 1 }), ['super']],
];
/**
 * The number of additional rows that a page of twenty may read if the table has four times as many
 * rows. It is 1 % of the added rows, and allows for another join order and another end of a page.
 */
const usualTolerance = 60;
/** The lists that may read more additional rows, each with the reason. */
const tolerated: Readonly<Record<string, number>> = {
  // A page may be read for each of three stations and seven kinds of exceptions.
  'open exceptions': 140,
  // PostgreSQL expects a fifth of all parcels in each of the six states of a clerk's parcels. It
  // reads and sorts some pages for each state; for 32,000 parcels no more than for 8,000.
  'parcels that have not moved for long': 1_200,
  // The search compares the names of the newest 10,000 imports, and this table has fewer.
  'global search by name': 1_440,
  'global search by the end of a phone': 1_440,
  // PostgreSQL joins all imports at once while that is cheaper than looking up those of a hundred
  // entries.
  inbox: 640,
};
const cases = lists.flatMap(([name, run, who]) => who.map((one) => [name, one, run] as const));

beforeAll(async () => {
  app = await createTestApp();
  plans = watchPlans(app);
  owner = openOwner(app);
  const top = await addStation(app.db);
  const below = [
    await addStation(app.db, { parent_id: top }),
    await addStation(app.db, { parent_id: top }),
  ];
  const other = await addStation(app.db);
  const stations = [top, ...below, other];
  sharing = stations;
  const user = await addAccount(app.db, 'user', below[0]);
  Object.assign(actors, {
    super: actorOf('super', await addAccount(app.db, 'super'), []),
    partner: actorOf('partner', await addAccount(app.db, 'partner', top), [top, ...below]),
    station: actorOf('station', await addAccount(app.db, 'station', below[0]), [below[0]!]),
    user: actorOf('user', user, [below[0]!]),
  });
  const { voucher, merchant, promise } = await owner.tx(systemScope('fill'), (work) =>
    oneRow(
      work,
      sql<{
        voucher: number;
        merchant: number;
        promise: number;
      }>`with p as (insert into promises (promise_id, promise_name, provider)
        values ('ed-plans', '时效', 'jdl') returning id),
        c as (insert into cargos (name, type, provider) values ('茶叶', 1, 'jdl')
          on conflict do nothing),
        g as (insert into guarantees (money, price) values (100000, 100)
          on conflict do nothing),
        v as (insert into vouchers (name, provider, promise_id, weight)
          values ('模板', 'jdl', 'ed-plans',
          ${JSON.stringify({ divisor: null, origins: [{ provinces: [], zones: [{ areas: pricedAreas }] }] })})
          returning id),
        m as (insert into merchants (name, provider, customer_code, base_url)
          values ('京东', 'jdl', '010K1', '') returning id)
      select v.id as voucher, m.id as merchant, p.id as promise from v, m, p`,
    ),
  );
  const [office, partner, colleague] = [
    actors.super.account_id,
    actors.partner.account_id,
    actors.station.account_id,
  ];
  const network = { stations, user, colleague, office, partner, voucher, merchant, promise };
  for (const [index, size] of sizes.entries()) {
    await fill(network, index === 0 ? 0 : sizes[0], size);
    for (const [name, who, run] of cases) {
      let counted = 0;
      const found = await plans.readBy(async () => {
        const answer = await run(app, actors[who]);
        counted = 'counted' in answer ? answer.counted : 0;
      });
      const rows = found.reduce((sum, plan) => sum + plan.rows, 0) - counted;
      read.set(`${name} ${who}`, [...(read.get(`${name} ${who}`) ?? []), rows]);
      starred.set(
        `${name} ${who}`,
        found.map(({ text }) => text).filter((text) => !namesItsColumns(text)),
      );
    }
  }
});
afterAll(async () => {
  await owner.close();
  await app.close();
});

describe('a list, which reads no more rows of 8,000 parcels than of 2,000', () => {
  it.each(cases)(
    'the list %s, as %s, reads no more rows with 8,000 parcels than with 2,000',
    (name, who) => {
      const [few, many] = read.get(`${name} ${who}`)!;
      expect(few).toBeGreaterThan(0);
      expect(many, `${few} rows of 2,000 parcels, ${many} of 8,000`).toBeLessThanOrEqual(
        few! + (tolerated[name] ?? usualTolerance),
      );
    },
  );
});

describe('a global search', () => {
  it('a partner’s search does not read the 10,000 newer imports of other stations', async () => {
    await owner.pool.query(`insert into imports (station_id, user_id, file_name, file_type,
      file_bytes, file_hash, status, created_at) select ${sharing[3]}, ${actors.user.account_id},
      'x.csv', 'csv', 1, convert_to(n::text, 'UTF8'), 'done', now() + n * interval '1 second'
      from generate_series(1, 10000) n`);
    await owner.pool.query('analyze imports');
    const found = await plans.readBy(() => searched('无此')(app, actors.partner));
    const rows = found.map((plan) => (plan.text.includes('from imports') ? plan.rows : 0));
    expect(Math.max(...rows)).toBeGreaterThan(0);
    expect(Math.max(...rows)).toBeLessThan(5_000);
  });
});

describe('the selected columns of a list', () => {
  it.each(cases)(
    'no statement of the list %s, as %s, selects all columns with “*”',
    (name, who) => {
      expect(starred.get(`${name} ${who}`)).toEqual([]);
    },
  );
});

describe('the endpoints with a list or a count', () => {
  const outputOf = (output: unknown): object =>
    (output as { _zod: { def: { shape?: object } } })._zod.def.shape ?? {};
  const answersRows = ({ method, path, output }: (typeof routes)[number]['endpoint']): boolean =>
    method === 'GET' &&
    (/\/(?:counts|search|exceptions|printers|uses|workplace|money)$/.test(path) ||
      'items' in outputOf(output));

  it('each endpoint that returns a list or a count is measured at two table sizes, or a reason is given why it is not measured', () => {
    const paths = routes
      .filter(({ endpoint }) => answersRows(endpoint))
      .map(({ endpoint }) => endpoint.path);
    expect(Object.keys(readLists).toSorted()).toEqual(paths.toSorted());
    const names = lists.map(([name]) => name);
    expect(
      Object.values(readLists).flatMap((one) =>
        'cases' in one && !names.includes(one.cases) ? [one.cases] : [],
      ),
    ).toEqual([]);
  });
});
