import { afterEach, describe, expect, test } from 'vitest';
import { createAgenda } from './agenda.ts';
import { createHeap } from './heap.ts';
import { afterStop, createSimClock } from './sim-clock.ts';
import { startSimulator } from './simulator.ts';
import { readWallClock, wallClock } from './wall-clock.ts';
import { createOrder } from '#testing/jdl-client.ts';
import type { Simulator } from './simulator.ts';

const at = Date.parse('2026-01-02T02:00:00Z');

describe('the simulated clock', () => {
  const setUp = (speed: number, paused = false) => {
    let real = 1_000_000;
    const clock = createSimClock(
      { sim: at, real, speed, paused },
      () => real,
      () => {},
    );
    return { clock, pass: (ms: number) => (real += ms) };
  };

  test('the simulated clock runs as fast as its configured speed', () => {
    const { clock, pass } = setUp(1000);
    pass(60);
    expect(clock.now()).toBe(at + 60_000);
    expect(clock.realUntil(at + 90_000)).toBe(30);
  });

  test('the simulated clock changes its speed without a jump', () => {
    const { clock, pass } = setUp(10);
    pass(100);
    clock.change({ speed: 100_000 });
    expect(clock.now()).toBe(at + 1000);
    pass(1);
    expect(clock.now()).toBe(at + 101_000);
  });

  test('the simulated clock does not move while it is paused, and continues from the same time', () => {
    const { clock, pass } = setUp(10);
    clock.change({ paused: true });
    pass(5000);
    expect(clock.now()).toBe(at);
    expect(clock.realUntil(at + 1)).toBeNull();
    clock.change({ paused: false });
    pass(5);
    expect(clock.now()).toBe(at + 50);
  });

  test('the simulated clock moves forward and never back, not even when the machine’s clock is set back', () => {
    const { clock, pass } = setUp(1);
    clock.moveTo(at + 5000);
    expect(() => clock.moveTo(at)).toThrow(RangeError);
    pass(100);
    pass(-5000);
    expect(clock.now()).toBe(at + 5100 - 100);
    pass(5100);
    expect(clock.now()).toBe(at + 5200);
  });

  test('a running simulated clock continues at 1× after a restart, and a paused one stays paused', () => {
    expect(afterStop({ sim: at, real: 1000, speed: 500, paused: false }, 61_000)).toEqual({
      sim: at + 60_000,
      real: 61_000,
      speed: 500,
      paused: false,
    });
    expect(afterStop({ sim: at, real: 1000, speed: 500, paused: true }, 61_000).sim).toBe(at);
  });
});

describe('the agenda', () => {
  const setUp = () => {
    const clock = createSimClock(
      { sim: 0, real: 0, speed: 1, paused: true },
      () => 0,
      () => {},
    );
    const ran: string[] = [];
    let batches = 0;
    const agenda = createAgenda<string>(
      clock,
      (item, when) => {
        ran.push(`${item}@${when}`);
        if (item === 'parent') agenda.put(when + 5, 'child');
      },
      () => (batches += 1),
    );
    return { clock, agenda, ran, batches: () => batches };
  };

  test('the agenda runs due tasks by time, and runs tasks of the same time in the order in which they were added', () => {
    const { clock, agenda, ran, batches } = setUp();
    agenda.put(30, 'c');
    agenda.put(10, 'a');
    agenda.put(30, 'd');
    agenda.put(20, 'b');
    clock.moveTo(30);
    expect(agenda.catchUp()).toBe(4);
    expect(ran).toEqual(['a@10', 'b@20', 'c@30', 'd@30']);
    expect(batches()).toBe(1);
  });

  test('the agenda also runs a task that another task added while it ran', () => {
    const { clock, agenda, ran } = setUp();
    agenda.put(10, 'parent');
    agenda.put(12, 'other');
    clock.moveTo(14);
    agenda.catchUp();
    expect(ran).toEqual(['parent@10', 'other@12']);
    clock.moveTo(15);
    agenda.catchUp();
    expect(ran.at(-1)).toBe('child@15');
  });
});

test('a heap returns ten thousand numbers in ascending order', () => {
  const heap = createHeap<number>((a, b) => a < b);
  const numbers = Array.from({ length: 10_000 }, (_, i) => (i * 7919) % 10_007);
  for (const number of numbers) heap.push(number);
  const out = Array.from({ length: 10_000 }, () => heap.pop());
  expect(out).toEqual(numbers.toSorted((a, b) => a - b));
  expect(heap.pop()).toBeUndefined();
});

test('a local time is formatted and parsed in its time zone, and an invalid text is parsed as null', () => {
  expect(wallClock(at)).toBe('2026-01-02 10:00:00');
  expect(wallClock(at, 0)).toBe('2026-01-02 02:00:00');
  expect(readWallClock('2026-01-02 10:00:00')).toBe(at);
  expect(readWallClock('2026-01-01 21:00:00', -5)).toBe(at);
  for (const wrong of [
    '2026-13-01 00:00:00',
    '2026-02-30 00:00:00',
    '2026-1-2 3:4:5',
    '2026-01-02T10:00:00',
    '',
  ])
    expect(readWallClock(wrong)).toBeNull();
});

describe('in the running carrier', () => {
  let carrier: Simulator;
  afterEach(() => carrier.close());

  test('simulated parcels move by themselves to their delivery while the clock runs at a high speed', async () => {
    carrier = await startSimulator({ speed: 100_000 });
    const waybill = await createOrder(carrier.url, 'CL-1');
    await expect.poll(() => carrier.control.order(waybill)['status']).toBe(510);
  });

  test('the clock is set, advanced and read through the control API', async () => {
    carrier = await startSimulator({ paused: true, now: at });
    const waybill = await createOrder(carrier.url, 'CL-2');
    const { next_at: next } = carrier.control.clock();
    expect(next).not.toBeNull();
    const { happened } = carrier.control.advance(Date.parse(next ?? '') - at);
    expect(happened).toBe(1);
    expect(carrier.control.order(waybill)['status']).toBe(390);
    expect(carrier.control.setClock({ now: '2026-02-01T00:00:00Z' }).now).toBe(
      '2026-02-01T00:00:00.000Z',
    );
    expect(carrier.control.order(waybill)['status']).toBe(510);
    expect(() => carrier.control.setClock({ now: at })).toThrow(/backwards/);
    expect(() => carrier.control.setClock({ speed: 200_000 })).toThrow(/speed/);
    expect(() => carrier.control.advance(-1)).toThrow(/ms/);
    expect(carrier.control.setClock({ speed: 50, paused: false })).toMatchObject({
      speed: 50,
      paused: false,
    });
  });
});
