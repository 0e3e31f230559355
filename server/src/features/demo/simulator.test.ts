import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Quote } from '@waystation/contract/parcels/express.ts';
import { createApp } from '#app.ts';
import { sendOrder } from '#domain/express/express.ts';
import { openAccount } from '#domain/carrier-accounts/carrier-accounts.ts';
import { sql } from '#platform/db/db.ts';
import { parcelClient } from '#testing/parcel-client.ts';
import type { ParcelClient } from '#testing/parcel-client.ts';
import { exampleOrder, openTestSystem, rowsOf } from '#testing/test-system.ts';
import type { TestSystem } from '#testing/test-system.ts';
import { startCarrier } from '#testing/simulator.ts';
import { demoState } from './demo.ts';

let system: TestSystem;
let clerk: ParcelClient;
beforeAll(async () => {
  system = await openTestSystem();
  await system.topUp('nanshan', 1_000_000);
  clerk = await parcelClient(system);
});
afterAll(() => system.close());

describe('the demo and its simulator', () => {
  it('a parcel at the demo’s simulator costs the platform 50 to 60 % of its station’s price, whatever its product, weight and destination', async () => {
    const { account, carrier } = await openAccount(system.app, system.network.merchant_id);
    const places = [
      ['广东省', '广州市'],
      ['上海市', '上海市'],
      ['四川省', '成都市'],
      ['辽宁省', '沈阳市'],
      ['新疆维吾尔自治区', '乌鲁木齐市'],
    ] as const;
    for (const [receive_province, receive_city] of places)
      for (const weight of [1_000, 4_300, 23_400]) {
        const parcel = {
          ...exampleOrder(),
          receive_province,
          receive_city,
          receive_county: '',
          receive_address: '示例路1号',
          weight,
          length: 0,
          width: 0,
          height: 0,
        };
        const { data } = await system.call<{ quotes: Quote[] }>(
          clerk.token,
          'POST',
          '/api/arco/expresses/quote',
          { ...parcel, guarantee_value_amount: 0 },
        );
        for (const { promise_id, post_amount } of data.quotes) {
          const precheck = await carrier.precheck(account, {
            ...parcel,
            goods_type: 1,
            guarantee_value_amount: 0,
            promise_id,
          } as never);
          const cost = precheck.outcome === 'ok' ? precheck.value.estimate!.amount : 0;
          expect({
            promise_id,
            receive_province,
            weight,
            fits: cost >= post_amount! * 0.5 && cost <= post_amount! * 0.6,
          }).toMatchObject({ fits: true });
        }
      }
  });

  it('a demo restarted with the simulator on another port updates the carrier account’s URL, and a waiting order gets its waybill number', async () => {
    const other = await startCarrier();
    await system.worker.stop();
    const config = {
      ...system.app.config,
      simulator: { port: other.port, url: other.url },
      outboundAllow: [`127.0.0.1:${other.port}`],
    };
    const app = createApp(config, system.database.connection, system.app.log);
    await rowsOf(
      system,
      sql`insert into settings (name, value)
      values ('demo', ${JSON.stringify({ state: 'filled' })}::jsonb)`,
    );
    await rowsOf(
      system,
      sql`insert into merchants (name, provider, customer_code, base_url)
      values ('真实账号', 'jdl', '010K777777', 'https://api.jdl.com')`,
    );
    const waiting = await clerk.begin();
    expect(await demoState(app)).toBe('filled');
    await sendOrder(
      app,
      { express_id: waiting.id, attempt: 1, first: true },
      { job_id: '1', attempt: 1 },
    );
    const { delivery_id } = await clerk.get(waiting.id);
    expect(await other.control('GET', `orders/${delivery_id}`)).toMatchObject({
      order_id: waiting.order_id,
    });
    expect(
      await rowsOf(
        system,
        sql`select base_url, simulated from merchants
      order by id`,
      ),
    ).toEqual([
      { base_url: other.url, simulated: 1 },
      { base_url: 'https://api.jdl.com', simulated: 0 },
    ]);
    await app.close();
    await other.stop();
  });
});
