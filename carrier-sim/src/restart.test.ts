import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startSimulator } from './simulator.ts';
import { startCallback } from '#testing/callback.ts';
import { anOrder, call, createOrder, example, named, paths } from '#testing/jdl-client.ts';
import type { ChildProcess } from 'node:child_process';
import type { Json } from '#testing/jdl-client.ts';

const day = 86_400_000;
let data: string;
const running = new Set<ChildProcess>();
beforeEach(() => {
  data = mkdtempSync(join(tmpdir(), 'carrier sim '));
});
afterEach(() => {
  for (const child of running) child.kill('SIGKILL');
  running.clear();
  rmSync(data, { recursive: true, force: true });
});

type Program = {
  url: string;
  child: ChildProcess;
  end(signal: NodeJS.Signals): Promise<number | null>;
};

/** The folder of compiled code, if this process has one. */
const { NODE_COMPILE_CACHE: folder } = process.env;
const compiled = folder === undefined ? {} : { NODE_COMPILE_CACHE: folder };

const startProgram = async (environment: Record<string, string> = {}): Promise<Program> => {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'main.ts')], {
    env: {
      PATH: process.env['PATH'] ?? '',
      ...compiled,
      SIM_PORT: '0',
      SIM_DATA: data,
      SIM_PAUSED: '1',
      SIM_RATES: 'none',
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.add(child);
  let output = '';
  let complained = '';
  child.stderr.on('data', (part: Buffer) => {
    complained += part.toString();
  });
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout.on('data', (part: Buffer) => {
      output += part.toString();
      const line = output.split('\n')[0] ?? '';
      if (output.includes('\n')) resolve(JSON.parse(line).url as string);
    });
    child.on('exit', () => reject(new Error(complained)));
  });
  return {
    url,
    child,
    end: async (signal) => {
      const exit = once(child, 'exit');
      child.kill(signal);
      await exit;
      return child.exitCode;
    },
  };
};

const control = async (
  url: string,
  method: string,
  path: string,
  body?: unknown,
): Promise<Json> => {
  const response = await fetch(`${url}/_sim${path}`, {
    method,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return response.json();
};

describe('after a kill -9', () => {
  test('a carrier killed with -9 has the same parcels, numbers, prefetched numbers, weights and clock at its next start', async () => {
    const first = await startProgram();
    const waybills: string[] = [];
    for (let i = 0; i < 20; i += 1) waybills.push(await createOrder(first.url, `K-${i}`));
    const numbers = (
      await call(first.url, paths.numbers, {
        orderOrigin: 1,
        customerCode: example.customerCode,
        sum: 5,
      })
    ).data as string[];
    await control(first.url, 'POST', '/clock/advance', { ms: 1.5 * day });
    await call(
      first.url,
      paths.cancel,
      named(waybills[0] as string, { cancelReason: 'x', cancelReasonCode: '1', cancelType: 1 }),
    );
    const before = await Promise.all(
      waybills.map((waybill) => control(first.url, 'GET', `/orders/${waybill}`)),
    );
    await control(first.url, 'POST', '/orders/seed', {
      orders: [],
      taken: [{ waybill_code: 'JDVE00000500000' }],
    });
    const clock = await control(first.url, 'GET', '/clock');
    await first.end('SIGKILL');

    const second = await startProgram();
    expect(await control(second.url, 'GET', '/clock')).toMatchObject({
      now: clock.now,
      next_at: clock.next_at,
    });
    expect(
      await Promise.all(
        waybills.map((waybill) => control(second.url, 'GET', `/orders/${waybill}`)),
      ),
    ).toEqual(before);
    expect(await call(second.url, paths.create, anOrder('K-3'))).toMatchObject({
      subCode: '0_0001',
      data: { waybillCode: waybills[3] },
    });
    const fresh = await createOrder(second.url, 'K-fresh');
    expect(numbers.at(-1)! < 'JDVE00000500000').toBe(true);
    expect(fresh).toBe('JDVE00000500001');
    expect(
      (await call(second.url, paths.create, anOrder('K-own', { waybillCode: numbers[0] }))).data
        .waybillCode,
    ).toBe(numbers[0]);
    await control(second.url, 'POST', '/clock/advance', { ms: 12 * day });
    expect((await control(second.url, 'GET', `/orders/${waybills[5]}`)).status).toBe(510);
    await second.end('SIGKILL');
  });

  test('a simulator killed many times under load gives no waybill twice, and still has every waybill that it returned', async () => {
    const answered = new Map<string, string>();
    for (let round = 0; round < 4; round += 1) {
      const program = await startProgram({ SIM_PAUSED: '0', SIM_SPEED: '50000' });
      const clients = Array.from({ length: 4 }, async (_, client) => {
        for (let i = 0; ; i += 1) {
          const orderId = `L-${round}-${client}-${i}`;
          try {
            answered.set(orderId, await createOrder(program.url, orderId));
          } catch {
            return;
          }
        }
      });
      await expect.poll(() => answered.size, { interval: 5 }).toBeGreaterThan(15 * (round + 1));
      await program.end('SIGKILL');
      await Promise.all(clients);
    }
    expect(answered.size).toBeGreaterThan(40);
    expect(new Set(answered.values()).size).toBe(answered.size);
    const last = await startProgram();
    for (const [orderId, waybill] of answered) {
      expect(await call(last.url, paths.create, anOrder(orderId))).toMatchObject({
        subCode: '0_0001',
        data: { waybillCode: waybill },
      });
    }
    await last.end('SIGTERM');
  });

  test('after a kill and a restart the simulator sends only the pushes that were not accepted before', async () => {
    const callback = await startCallback();
    callback.answerWith((message) => ({ status: message.category === 390 ? 500 : 200 }));
    const first = await startProgram({ SIM_CALLBACK_URL: callback.url });
    const waybill = await createOrder(first.url, 'M-1');
    await control(first.url, 'POST', `/orders/${waybill}/jump`, { to: 'picked_up' });
    await expect
      .poll(() => new Set(callback.received.map((message) => message.category)).size)
      .toBe(3);
    await expect
      .poll(async () => (await control(first.url, 'GET', `/orders/${waybill}`)).untold)
      .toBe(1);
    await first.end('SIGKILL');
    callback.received.length = 0;
    callback.answerWith(() => ({ status: 200 }));
    const second = await startProgram({ SIM_CALLBACK_URL: callback.url });
    await control(second.url, 'POST', '/pushes/settle', {});
    expect(callback.received.map((message) => message.category)).toEqual([390]);
    await second.end('SIGKILL');
    await callback.close();
  });
});

test('SIGTERM ends the simulator immediately with code 0, and its orders are stored', async () => {
  const first = await startProgram();
  const waybill = await createOrder(first.url, 'T-1');
  expect(await first.end('SIGTERM')).toBe(0);
  const second = await startProgram();
  expect(await createOrder(second.url, 'T-1')).toBe(waybill);
  expect(await second.end('SIGINT')).toBe(0);
});

test('a second simulator on the same data directory is refused with the reason; after a kill -9 the next one starts', async () => {
  const first = await startProgram();
  await expect(startProgram()).rejects.toThrow(
    /in use by the simulator at http:.*another SIM_DATA/,
  );
  await first.end('SIGKILL');
  const second = await startProgram();
  await second.end('SIGKILL');
});

test('the simulator reports a port in use in one sentence that names its variable', async () => {
  const first = await startProgram();
  const port = new URL(first.url).port;
  await expect(startProgram({ SIM_PORT: port, SIM_DATA: '' })).rejects.toThrow(
    `port ${port} is taken; set SIM_PORT to another one`,
  );
  await first.end('SIGKILL');
});

test('the simulator reports an invalid environment variable instead of starting', async () => {
  await expect(startProgram({ SIM_SPEED: '0' })).rejects.toThrow(
    /SIM_SPEED must be a whole number from 1 to 100000/,
  );
});

test('the simulator ignores an incomplete last line of its journal, and refuses to start if an earlier line is damaged', async () => {
  const file = join(data, 'carrier.journal');
  const first = await startSimulator({ data, paused: true });
  const waybill = await createOrder(first.url, 'H-1');
  await first.close();
  appendFileSync(file, '{"c":"jdl","r":{"k":"ord');
  const second = await startSimulator({ data, paused: true });
  expect(await createOrder(second.url, 'H-1')).toBe(waybill);
  await second.close();
  writeFileSync(file, `garbage\n${readFileSync(file, 'utf8')}`);
  await expect(startSimulator({ data, paused: true })).rejects.toThrow(/line 1 of .* is damaged/);
});

test('the journal is rewritten at every start, so that its size does not grow with old events', async () => {
  const file = join(data, 'carrier.journal');
  const first = await startSimulator({ data, paused: true });
  for (let i = 0; i < 30; i += 1) await createOrder(first.url, `G-${i}`);
  first.control.advance(12 * day);
  await first.close();
  const lines = readFileSync(file, 'utf8').split('\n').length;
  const second = await startSimulator({ data, paused: true });
  await second.close();
  expect(readFileSync(file, 'utf8').split('\n').length).toBeLessThan(lines / 5);
});

test('applications and callbacks that were added while the simulator ran still exist after a restart', async () => {
  const first = await startSimulator({ data, paused: true });
  first.control.addApplication({
    app_key: 'k',
    app_secret: 's',
    accounts: [{ access_token: 't', customer_codes: ['099'] }],
  });
  first.control.setCallback({ customer_code: example.customerCode, url: 'http://127.0.0.1:9/x' });
  await first.close();
  const second = await startSimulator({ data, paused: true });
  expect(JSON.stringify(second.control.applications())).toContain('099');
  expect(JSON.stringify(second.control.applications())).toContain('127.0.0.1:9');
  await second.close();
});

test('a simulator without a data directory loses all its data when it ends', async () => {
  const first = await startSimulator({ paused: true });
  await createOrder(first.url, 'N-1');
  await first.close();
  const second = await startSimulator({ paused: true });
  expect(second.control.health().orders).toBe(0);
  await second.close();
});

test('the simulator ends when its parent process is killed, if it is configured to do so', async () => {
  const script = `
    const { spawn } = require('node:child_process');
    const child = spawn(process.execPath, [${JSON.stringify(join(import.meta.dirname, 'main.ts'))}], {
      env: { ...process.env, SIM_PORT: '0', SIM_DATA: '', SIM_EXIT_WITH_PARENT: '1' }, stdio: ['ignore', 'pipe', 'inherit'] });
    child.stdout.once('data', (line) => { process.stdout.write(line); process.stdout.write('pid ' + child.pid + '\\n'); });
    setInterval(() => {}, 1000);`;
  const parent = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
  running.add(parent);
  let output = '';
  parent.stdout.on('data', (part: Buffer) => {
    output += part.toString();
  });
  await expect.poll(() => /pid \d+/.test(output)).toBe(true);
  const pid = Number(/pid (\d+)/.exec(output)?.[1]);
  parent.kill('SIGKILL');
  const isGone = (): boolean => {
    try {
      process.kill(pid, 0);
      return /\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
    } catch {
      return true;
    }
  };
  await expect.poll(isGone).toBe(true);
});
