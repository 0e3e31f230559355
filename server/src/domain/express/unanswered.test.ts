import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Carrier, SeekAnswer } from '#domain/carriers/carriers.ts';
import { sql } from '#platform/db/db.ts';
import { rowsOf } from '#testing/test-system.ts';
import {
  openToyWorld,
  newParcel,
  world,
  call,
  silent,
  notStored,
  accepted,
  toy,
  step,
  steps,
  kindsOf,
  holds,
  waits,
  decide,
  stored,
} from '#testing/toy-carrier.ts';

beforeAll(openToyWorld);
afterAll(() => world.system.close());
beforeEach(newParcel);

describe('an order without an answer for a day', () => {
  const hour = 3_600_000;
  const day = 24 * hour;
  const letter = { reference: '工单 20261128-17' };
  const number = (delivery_id: string) => ({
    ...letter,
    stored: { delivery_id, compared: false },
  });
  const gateway = {
    outcome: 'gateway' as const,
    kind: 'other' as const,
    pause: false,
    code: 'A1001',
    text: 'missing parameter',
    call: { ...call, operation: 'search' },
  };
  const seeking = () => toy({ recovers_by: 'seek_by_our_number', not_found: 'create' });
  const paused = (to: boolean) =>
    rowsOf(
      world.system,
      sql`update merchants set paused_at = case when ${to} then now() - interval '1 hour' end
        where id = (select merchant_id from expresses where id = ${world.parcel.id})`,
    );
  /** Runs two steps in which the carrier does not answer, and one step a day later. */
  const dayAfter = async (carrier: Carrier): Promise<void> => {
    await steps(carrier, 2);
    world.now += day;
    await step(carrier);
  };

  it.each<[string, SeekAnswer]>([
    ['no answer', silent],
    ['a refusal by the gateway', gateway],
  ])(
    'an order whose searches bring %s for a day is left to the office and keeps its hold',
    async (_, answer) => {
      const carrier = seeking();
      world.seeks = [answer, answer, answer, answer];
      await steps(carrier, 3);
      expect((await world.clerk.get(world.parcel.id)).state_reason?.code).not.toBe(
        'order_unanswered',
      );
      world.now += day;
      await step(carrier);
      await waits('order_unanswered');
      expect(await decide(carrier)).toMatchObject({ code: 'outcome_no_answer' });
      expect(await holds()).toBe(1);
      expect(await step(carrier)).toBe(true);
    },
  );

  it('an order whose calls the gateway always rejects is searched for again and again, with pauses that grow to 25 seconds', async () => {
    const carrier = seeking();
    world.creates = [gateway];
    world.seeks = Array.from({ length: 40 }, () => gateway);
    const begun = world.now;
    let calls = 0;
    while (world.now < begun + 600_000) {
      await step(carrier);
      calls += 1;
    }
    expect(calls).toBeLessThan(35);
    const before = world.now;
    await step(carrier);
    expect(world.now - before).toBe(25_000);
  });

  it('an order waits for an administrator’s decision after its carrier account has been paused for a day', async () => {
    const carrier = seeking();
    await step(carrier);
    await paused(true);
    world.now += day;
    await step(carrier);
    await waits('order_unanswered');
    world.now -= 2 * hour;
    expect(await decide(carrier, letter)).toMatchObject({ code: 'outcome_written_early' });
    world.now += 2 * hour;
    expect(await decide(carrier, letter)).toBe('decided');
    expect((await world.clerk.get(world.parcel.id)).state_code).toBe(90);
    await paused(false);
  });

  it('an order cannot be decided with the carrier’s written confirmation if its carrier account was paused less than a day ago', async () => {
    const carrier = seeking();
    await dayAfter(carrier);
    await rowsOf(world.system, sql`update merchants set paused_at = now() + interval '23 hours'`);
    expect(await decide(carrier, letter)).toMatchObject({ code: 'outcome_account_paused' });
    await paused(false);
  });

  it('while its carrier account is paused, an order with a waybill from a push can be stored under this waybill but not released', async () => {
    const carrier = seeking();
    await step(carrier);
    await paused(true);
    world.now += day;
    await step(carrier);
    const delivery_id = `TOY${world.parcel.order_id}`;
    await rowsOf(
      world.system,
      sql`update expresses set waybill_claims =
        ${JSON.stringify([{ delivery_id, source: 'push' }])}::jsonb where id = ${world.parcel.id}`,
    );
    expect(await decide(carrier, letter)).toMatchObject({ code: 'outcome_waybill_named' });
    expect(await decide(carrier, number(delivery_id))).toBe('decided');
    expect(await world.clerk.get(world.parcel.id)).toMatchObject({ state_code: 100, delivery_id });
    await paused(false);
  });

  it('after a day without an answer, an order can be released with the carrier’s written confirmation that it has no such order', async () => {
    const carrier = seeking();
    await dayAfter(carrier);
    expect(await decide(carrier, letter)).toBe('decided');
    expect(await world.clerk.get(world.parcel.id)).toMatchObject({
      state_code: 90,
      state_reason: { code: 'order_not_stored_in_writing', params: { text: letter.reference } },
    });
  });

  it('an order that the carrier has stored without a waybill cannot be released with the carrier’s written confirmation that it has no such order', async () => {
    const carrier = seeking();
    world.seeks = Array.from({ length: 5 }, () => stored);
    await steps(carrier, 2);
    await waits('order_stored_without_number');
    expect(await decide(carrier, letter)).toEqual({
      code: 'outcome_written_early',
      params: { hours: '24' },
    });
    world.now += day;
    const inOffice = { code: 'order_stored_without_number' };
    expect(await decide(carrier, letter)).toMatchObject(inOffice);
    world.seeks = [];
    expect(await decide(carrier, letter)).toMatchObject(inOffice);
    expect(await holds()).toBe(1);
  });

  it('an order first sent days ago does not wait for an administrator’s decision if its present attempt began less than a day ago', async () => {
    const carrier = seeking();
    await rowsOf(
      world.system,
      sql`update expresses set first_sent_at = first_sent_at - interval '3 days'
        where id = ${world.parcel.id}`,
    );
    await steps(carrier, 3);
    expect((await world.clerk.get(world.parcel.id)).state_reason?.code).not.toBe(
      'order_unanswered',
    );
  });

  it('an order whose searches at the carrier could not be sent for a day waits for a decision by an administrator', async () => {
    const carrier = seeking();
    world.seeks = Array.from({ length: 3 }, () => ({ ...silent, not_sent: true as const }));
    await steps(carrier, 2);
    world.now += day;
    await step(carrier);
    await waits('order_unanswered');
  });

  it('an order whose only known waybill is a prefetched number can be released with the carrier’s written confirmation', async () => {
    const carrier = toy({ recovers_by: 'seek_by_fetched_number', not_found: 'person' });
    await dayAfter(carrier);
    await rowsOf(
      world.system,
      sql`update expresses set waybill_claims =
        '[{"delivery_id":"N17","source":"number"}]'::jsonb where id = ${world.parcel.id}`,
    );
    const silently = {
      ...carrier,
      details: async () => silent,
      trace: async () => silent,
    } as unknown as Carrier;
    expect(await decide(silently, letter)).toBe('decided');
  });

  it('an order can be stored with the carrier’s written confirmation only under a waybill that the carrier reported for this order', async () => {
    const carrier = {
      ...seeking(),
      details: async () => silent,
      trace: async () => silent,
    } as unknown as Carrier;
    await dayAfter(carrier);
    expect(await decide(carrier, number('JDVA00099900017'))).toMatchObject({
      code: 'outcome_no_answer',
    });
    await rowsOf(
      world.system,
      sql`update expresses set waybill_claims =
        '[{"delivery_id":"TOY17","source":"push"}]'::jsonb where id = ${world.parcel.id}`,
    );
    expect(await decide(carrier, letter)).toMatchObject({ code: 'outcome_waybill_named' });
    expect(await decide(carrier, number('JDVA00099900017'))).toMatchObject({
      code: 'waybill_not_claimed',
    });
    expect(await decide(carrier, number('TOY17'))).toBe('decided');
  });

  it('an order cannot be released with the carrier’s written confirmation if the carrier’s search returns a waybill for it', async () => {
    const carrier = seeking();
    await dayAfter(carrier);
    world.seeks = [accepted()];
    expect(await decide(carrier, letter)).toMatchObject({ code: 'outcome_is_stored' });
    expect(await world.clerk.get(world.parcel.id)).toMatchObject({ state_code: 100 });
  });

  it('an order that waits for an administrator’s decision is not sent again after later searches without a result', async () => {
    const carrier = seeking();
    await dayAfter(carrier);
    world.seeks = [notStored, notStored, notStored];
    await steps(carrier, 3);
    expect(kindsOf().filter((kind) => kind === 'create')).toHaveLength(1);
    await waits('order_not_found');
  });
});
