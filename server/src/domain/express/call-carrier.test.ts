import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sql } from '#platform/db/db.ts';
import { systemScope } from '#platform/db/scope.ts';
import { parcelClient } from '#testing/parcel-client.ts';
import { openTestSystem, rowsOf } from '#testing/test-system.ts';
import type { TestSystem } from '#testing/test-system.ts';
import { callCarrier } from './call-carrier.ts';
import type { ReadyCall } from './call-carrier.ts';
import type { CarrierAnswer } from '#domain/carrier-accounts/carrier-accounts.ts';
import { openAccountInTx } from '#domain/carrier-accounts/carrier-accounts.ts';
import { lockExpress, updateExpress } from './row.ts';

const scope = systemScope('call test');
const call = {
  operation: 'trace',
  trace_id: '',
  http_status: 200,
  ms: 1,
  request: null,
  answer: null,
};
const answered: CarrierAnswer = { outcome: 'ok', call };
const tokenRefused: CarrierAnswer = {
  outcome: 'gateway',
  code: '190',
  pause: true,
  text: 'token expired',
  call,
};

let system: TestSystem;
let express_id: number;
beforeAll(async () => {
  system = await openTestSystem();
  await system.topUp('nanshan', 1_000_000);
  express_id = (await (await parcelClient(system)).order()).data.id;
  // The worker is stopped, so that the parcel's tasks make no calls during the test.
  await system.worker.stop();
});
afterAll(() => system.close());

const ready = async (work: Parameters<typeof lockExpress>[0]): Promise<ReadyCall> => {
  const express = await lockExpress(work, express_id);
  return { express, opened: await openAccountInTx(system.app, work, express.merchant_id!) };
};
const outcomes = async (): Promise<string[]> =>
  (
    await rowsOf(
      system,
      sql<{ outcome: string }>`select outcome from carrier_calls
    where express_id = ${express_id} order by id`,
    )
  ).map(({ outcome }) => outcome);
const setRemark = (remark: string) =>
  system.app.db.tx(scope, (work) => updateExpress(work, express_id, { remark }));

describe('`callCarrier`', () => {
  it('`callCarrier` locks no row during the call, and gives `settle` the parcel as it is after the call', async () => {
    const seen = await callCarrier(system.app, scope, {
      caller: 'test',
      ready,
      call: async () => {
        // If `callCarrier` held a lock during the call, this write would wait for the lock, and
        // `callCarrier` would wait for the write.
        await setRemark('changed during the call');
        return [answered];
      },
      settle: async (_work, express, _answers, { express: before }) => [
        before.remark,
        express.remark,
      ],
    });
    expect(seen).toEqual(['', 'changed during the call']);
  });

  it('`callCarrier` records every answer of its calls in order, and nothing for a call that was not made', async () => {
    const before = await outcomes();
    await callCarrier(system.app, scope, {
      caller: 'test',
      ready,
      call: async () => [answered, null, { outcome: 'refused', code: '1', call }] as const,
      settle: async () => {},
    });
    expect((await outcomes()).slice(before.length)).toEqual(['ok', 'refused']);
  });

  it('`callCarrier` calls no carrier if `ready` returns null or a function, and runs this function after the commit', async () => {
    const before = await outcomes();
    const never = () => Promise.reject(new Error('was called'));
    expect(
      await callCarrier(system.app, scope, {
        caller: 'test',
        ready: async () => null,
        call: never,
        settle: never,
      }),
    ).toBeNull();
    const instead = async (work: Parameters<typeof lockExpress>[0]) => {
      await lockExpress(work, express_id);
      return async () => void (await setRemark('after the commit'));
    };
    expect(
      await callCarrier(system.app, scope, {
        caller: 'test',
        ready: instead,
        call: never,
        settle: never,
      }),
    ).toBeNull();
    expect(
      await rowsOf(
        system,
        sql`select remark from expresses
      where id = ${express_id}`,
      ),
    ).toEqual([{ remark: 'after the commit' }]);
    expect(await outcomes()).toEqual(before);
  });

  it('`callCarrier` pauses the carrier account if the gateway refuses its token', async () => {
    await callCarrier(system.app, scope, {
      caller: 'test',
      ready,
      call: async () => [tokenRefused],
      settle: async () => {},
    });
    expect(
      await rowsOf(
        system,
        sql`select paused_reason, paused_at is not null as paused
      from merchants where id = ${system.network.merchant_id}`,
      ),
    ).toEqual([{ paused_reason: 'token expired', paused: true }]);
  });

  it('if `settle` throws, `callCarrier` throws the same error and records none of its calls', async () => {
    const before = await outcomes();
    const failing = callCarrier(system.app, scope, {
      caller: 'test',
      ready,
      call: async () => [answered],
      settle: () => Promise.reject(new Error('not settled')),
    });
    await expect(failing).rejects.toThrow('not settled');
    expect(await outcomes()).toEqual(before);
  });
});
