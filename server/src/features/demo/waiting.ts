import type { App } from '#app.ts';
import { checkedParcel, keepDraft, placeOrder } from '#domain/express/express.ts';
import type { ParcelFields, StationTerms } from '#domain/express/express.ts';
import { sql } from '#platform/db/db.ts';
import type { Tx } from '#platform/db/db.ts';
import { systemScope } from '#platform/db/scope.ts';
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

const termsOf = async (tx: Tx, id: number): Promise<StationTerms> =>
  (
    await sql<StationTerms>`select id, name, status, money, "freeze", available, has_amount, allow_select, allow_print, project_id, customer_code from stations where id = ${id}`.execute(
      tx,
    )
  ).rows[0]!;

/** A station that keeps nearly all it has in reserve, so that its newest orders wait on hold; and drafts for the shown clerk. */
export const addWaiting = async (app: App, network: DemoNetwork): Promise<void> => {
  const poor = network.stations.find(({ key }) => key === 'keji')!;
  const shown = network.stations.find(({ key }) => key === 'nanshan')!;
  await app.db.tx(all, async (tx) => {
    await sql`update stations set fixed_freeze = greatest(0, money - "freeze" - ${leftOver}), version = version + 1 where id = ${poor.id}`.execute(tx);
    for (let nth = 1; nth <= 3; nth++)
      await placeOrder(app, tx, all, {
        station: await termsOf(tx, poor.id),
        user_id: poor.clerks[0]!,
        fields: await checkedParcel(tx, example(poor, nth)),
        expected_amount: undefined,
      });
    for (let nth = 4; nth <= 6; nth++) await keepDraft(app, tx, await termsOf(tx, shown.id), shown.clerks[0]!, example(shown, nth));
  });
};
