import { firstOf, present } from '@waystation/contract/base/present.ts';
import type { App } from '#app.ts';
import { createParcel } from '#domain/express/express.ts';
import type { ParcelFields } from '#domain/express/express-reads.ts';
import { sql } from '#platform/db/db.ts';
import type { ReaderWork, Work } from '#platform/db/db.ts';
import { readActor } from '#platform/auth/actor-of-account.ts';
import { systemScope } from '#platform/db/scope.ts';
import { request, requestAdjustment, requestWithdrawal } from '#domain/ledger/ledger.ts';
import type { DemoNetwork, DemoStation } from './network.ts';

const all = systemScope('demo network');
/** The available balance of the station with waiting parcels, in fen. */
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

/** Returns the caller's transaction with the station's first clerk as its actor. */
const byClerkOf = async (work: Work, { clerks }: DemoStation): Promise<ReaderWork> =>
  work.by(present(await readActor(work, firstOf(clerks))));

const hour = 3_600_000;

/**
 * Adds pending money requests. Each administrator of the demo may approve the requests of the other
 * administrators.
 */
const askForMoney = async (
  work: Work,
  { stations, admin, station }: DemoNetwork,
  now: Date,
): Promise<void> => {
  const idOf = (key: string): number => present(stations.find((each) => each.key === key)).id;
  const metaOf = (name: string, by: number, hoursAgo: number) => ({
    cause: `demo request ${name}`,
    at: new Date(now.getTime() - hoursAgo * hour),
    by,
  });
  await requestAdjustment(work, {
    station_id: idOf('pudong'),
    amount: 68_000,
    description: '示例：上月返利',
    ...metaOf('adjustment', admin, 20),
  });
  await request(work, {
    type: 'top_up',
    station_id: idOf('tianhe'),
    amount: 6_000_000,
    description: '示例：银行转账充值',
    ...metaOf('top-up', admin, 3),
  });
  const withdrawal = {
    station_id: idOf('nanshan'),
    amount: 50_000,
    description: '示例：提现到对公账户',
    ...metaOf('withdrawal', station, 1),
  };
  if (!(await requestWithdrawal(work, withdrawal)).ok)
    throw new Error('the shown station has too little money for the example withdrawal');
};

/**
 * Adds parcels that wait on hold, at a station with most of its balance in reserve. Also adds
 * drafts of the demo clerk, and requests for money.
 */
export const addWaiting = async (app: App, network: DemoNetwork): Promise<void> => {
  const poor = present(network.stations.find(({ key }) => key === 'keji'));
  const shown = present(network.stations.find(({ key }) => key === 'nanshan'));
  await app.db.tx(all, async (work) => {
    await sql`update stations set fixed_freeze = greatest(0, money - "freeze" - ${leftOver}),
      version = version + 1 where id = ${poor.id}`.execute(work.tx);
    const waiting = await byClerkOf(work, poor);
    for (let nth = 1; nth <= 3; nth++) await createParcel(app, waiting, example(poor, nth));
    const drafting = await byClerkOf(work, shown);
    for (let nth = 4; nth <= 6; nth++)
      await createParcel(app, drafting, { ...example(shown, nth), draft: 1 });
    await askForMoney(work, network, app.clock.now());
  });
};
