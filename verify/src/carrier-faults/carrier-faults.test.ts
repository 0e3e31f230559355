import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { stateCode } from '@waystation/contract/parcels/express-states.ts';
import type { FaultGround } from '@waystation/server/testing/carrier-faults/ground.ts';
import type { ReadParcel } from '@waystation/server/testing/carrier-faults/people.ts';
import { rounds } from '@waystation/server/testing/slices.ts';
import type { KnownOrder, SimulatedCarrier, SimulatedName } from '#simulated-carrier.ts';
import { defects } from './defects.ts';
import { isNamed, judgeEnding, judgeOpen } from './judge.ts';
import { openGround, playSeeds } from './seeds.ts';

let ground: FaultGround;
beforeAll(async () => {
  ground = await openGround();
});
afterAll(() => ground.close());

describe('histories under faults of a carrier', () => {
  it.each<SimulatedName>(['jdl', 'sf'])(
    'after the faults of the carrier %s end, every order has one waybill, one charge and a known outcome',
    async (name) => {
      const { failed, books, met } = await playSeeds(ground, name, {
        from: 1,
        count: rounds(3, 60),
      });
      expect(failed).toEqual([]);
      expect(books).toEqual([]);
      // A test run in which no fault occurred would prove nothing.
      expect(met.size).toBeGreaterThan(0);
    },
  );

  it('an order without an outcome is reported as a fault, unless its reason says that an administrator has to decide it', () => {
    const parcel = {
      state_code: stateCode.ordering,
      reason: 'carrier_timeout',
      modifying: 0,
      cancelling: true,
      intercepting: 0,
    } as ReadParcel;
    expect(judgeOpen(parcel)).toHaveLength(1);
    expect(isNamed({ ...parcel, reason: 'order_stored_without_number' })).toBe(true);
    expect(judgeOpen({ ...parcel, reason: 'order_stored_without_number' })).toEqual([]);
    const awaiting = { ...parcel, state_code: stateCode.awaitingPickup };
    expect(judgeOpen({ ...awaiting, modifying: 1 })).toHaveLength(2);
    expect(judgeOpen({ ...awaiting, state_code: stateCode.cancelled })).toEqual([]);
  });

  it('a cancelled parcel is reported as a fault if its order is not cancelled at the carrier', async () => {
    const sideWith = (orders: { cancelled: boolean }[]) =>
      ({ orders: async () => orders as KnownOrder[] }) as SimulatedCarrier;
    const cancelled = { state_code: stateCode.cancelled } as ReadParcel;
    expect(await judgeEnding(sideWith([{ cancelled: false }]), cancelled)).toHaveLength(1);
    expect(await judgeEnding(sideWith([{ cancelled: true }]), cancelled)).toEqual([]);
    expect(await judgeEnding(sideWith([]), cancelled)).toEqual([]);
    const awaiting = { state_code: stateCode.awaitingPickup } as ReadParcel;
    expect(await judgeEnding(sideWith([{ cancelled: false }]), awaiting)).toEqual([]);
  });

  // The daily run plays histories with each of these defects (`planted.ts`).
  it.each(defects)(
    'the code that the planted defect "$name" replaces exists exactly once in its file',
    (defect) => {
      const folder = join(import.meta.dirname, '../../../server/src/domain/express');
      const source = readFileSync(join(folder, defect.file), 'utf8');
      expect(source.split(defect.before)).toHaveLength(2);
    },
  );
});
