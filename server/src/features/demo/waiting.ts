import type { App } from '#app.ts';
import { createParcel } from '#domain/express/express.ts';
import type { ParcelFields } from '#domain/express/express-reads.ts';
import { sql } from '#platform/db/db.ts';
import type { Tx } from '#platform/db/db.ts';
import { systemScope } from '#platform/db/scope.ts';
import { request, requestAdjustment, requestWithdrawal } from '#domain/ledger/ledger.ts';
import type { DemoNetwork, DemoStation } from './network.ts';

const all = systemScope('demo network');
/** Left to spend at the station whose parcels wait, in fen. */
const leftOver = 500;

const example = (station: DemoStation, nth: number): Partial<ParcelFields> => {
  const [province, city, county, address] = station.place;
  return {
    sender_name: station.sender_name,
    sender_phone: station.sender_phone,
    sender_province: province,
    sender_city: city,
    sender_county: county,
    sender_address: address,
    receive_name: '张三',
    receive_phone: `1390000${String(7_000 + nth)}`,
    receive_province: '上海市',
    receive_city: '上海市',
    receive_county: '浦东新区',
    receive_address: `示例街${nth}号`,
    goods: '文件',
    promise_id: 'ed-m-0001',
    weight: 1_000 + nth * 500,
    package_count: 1,
  };
};

const clerkOf = ({ id, clerks }: DemoStation) => ({ account_id: clerks[0]!, role: 'user', station_id: id }) as const;

const hour = 3_600_000;

/** Requests for money that wait for a second person: each account of the office may approve those it did not ask for. */
const askForMoney = async (tx: Tx, { stations, admin, station }: DemoNetwork, now: Date): Promise<void> => {
  const idOf = (key: string): number => stations.find((each) => each.key === key)!.id;
  const metaOf = (name: string, by: number, hoursAgo: number) => ({ cause: `demo request ${name}`, at: new Date(now.getTime() - hoursAgo * hour), by });
  await requestAdjustment(tx, { station_id: idOf('pudong'), amount: 68_000, description: '示例：上月返利', ...metaOf('adjustment', admin, 20) });
  await request(tx, { type: 'top_up', station_id: idOf('tianhe'), amount: 6_000_000, description: '示例：银行转账充值', ...metaOf('top-up', admin, 3) });
  const withdrawal = { station_id: idOf('nanshan'), amount: 50_000, description: '示例：提现到对公账户', ...metaOf('withdrawal', station, 1) };
  if (!(await requestWithdrawal(tx, withdrawal)).ok) throw new Error('the shown station has too little money for the example withdrawal');
};

/** A station that keeps nearly all it has in reserve, so that its newest orders wait on hold; drafts for the shown clerk, and requests for money. */
export const addWaiting = async (app: App, network: DemoNetwork): Promise<void> => {
  const poor = network.stations.find(({ key }) => key === 'keji')!;
  const shown = network.stations.find(({ key }) => key === 'nanshan')!;
  await app.db.tx(all, async (tx) => {
    await sql`update stations set fixed_freeze = greatest(0, money - "freeze" - ${leftOver}), version = version + 1 where id = ${poor.id}`.execute(tx);
    for (let nth = 1; nth <= 3; nth++) await createParcel(app, tx, all, clerkOf(poor), example(poor, nth));
    for (let nth = 4; nth <= 6; nth++) await createParcel(app, tx, all, clerkOf(shown), { ...example(shown, nth), draft: 1 });
    await askForMoney(tx, network, app.clock.now());
  });
};
