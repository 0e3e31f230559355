import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Express } from '@waystation/contract/parcels/express.ts';
import { freePort } from '@waystation/server/testing/api-process.ts';
import { limitMs } from '@waystation/server/testing/limits.ts';
import { sql } from '@waystation/server/testing/product.ts';
import {
  eventually,
  exampleOrder,
  openTestSystem,
  rowsOf,
} from '@waystation/server/testing/test-system.ts';
import type { TestSystem } from '@waystation/server/testing/test-system.ts';
import { startWorkerProcess } from '@waystation/server/testing/worker-process.ts';
import { bad } from './bad.ts';

export interface EndpointOptions {
  rounds: number;
  /** The length of each of the two periods of a round, in seconds. */
  seconds: number;
  /** The number of events per second; each event is sent to every webhook. */
  rate: number;
}

/** The delays between an event and its arrival at the healthy endpoint, in milliseconds. */
export interface Lateness {
  quiet: number[];
  busy: number[];
  /** The number of events that did not arrive. */
  missing: number;
  /** For each bad endpoint: the number of attempts and the last error. */
  attempts: { name: string; attempts: number; error: string | null }[];
}

const parcels = 40;
/**
 * A pause in milliseconds that is longer than a call can take. No call of a busy period therefore
 * continues in the next quiet period.
 */
const calmMs = 11_000;
const password = 'waystation-demo';
const pause = (ms: number): Promise<void> => new Promise((later) => setTimeout(later, ms));

const makeHook = async (system: TestSystem, token: string, name: string, url: string) => {
  const { status, data } = await system.call<{ webhook: { id: number } }>(
    token,
    'POST',
    '/api/arco/webhooks',
    { name, url, events: ['parcel.moved'], station_id: null, with_below: 1, password },
  );
  if (status !== 200) throw new Error(`${name}: ${status} ${JSON.stringify(data)}`);
  return data.webhook.id;
};

/**
 * Creates the healthy webhook of a station, and the bad webhooks of the station's partner and of an
 * administrator.
 */
const makeHooks = async (
  system: TestSystem,
  { port, tlsPort }: { port: number; tlsPort: number },
): Promise<void> => {
  const { station, partner, admin } = await system.loginAll();
  const at = (path: string): string => `http://127.0.0.1:${port}/${path}`;
  await makeHook(system, station, 'healthy', at('healthy'));
  for (const [no, name] of Object.keys(bad).entries())
    await makeHook(system, no % 2 === 0 ? partner : admin, name, at(name));
  await makeHook(system, admin, 'broken TLS', `https://127.0.0.1:${tlsPort}/`);
  const inner = await makeHook(system, admin, 'private', at('healthy'));
  // A webhook with this URL cannot be created, so the URL is written directly into the database. A
  // call to the URL must be refused too, because a host name may later point to such an address.
  await rowsOf(system, sql`update webhooks set url = 'https://10.0.0.1/' where id = ${inner}`);
};

/** Orders parcels and lets the carrier pick them up. Their later changes of state cause events. */
const order = async (system: TestSystem): Promise<number[]> => {
  const token = await system.login('clerk');
  const ids: number[] = [];
  for (let n = 0; n < parcels; n++) {
    const body = exampleOrder({ wait: 0 });
    const key = { 'idempotency-key': `endpoints-${n}` };
    const { status, data } = await system.call<Express>(
      { token, headers: key },
      'POST',
      '/api/arco/expresses',
      body,
    );
    if (status !== 200) throw new Error(`an order: ${status} ${JSON.stringify(data)}`);
    ids.push(data.id);
  }
  await eventually(async () => {
    const [row] = await rowsOf(
      system,
      sql<{ n: number }>`select count(*)::int as n from expresses where state_code = 100`,
    );
    return row!.n === parcels;
  });
  await rowsOf(system, sql`update expresses set state_code = 200 where id = any(${ids})`);
  return ids;
};

/**
 * If `live` is true, enables the bad webhooks as if none had ever failed, and makes all their
 * waiting deliveries due. Otherwise disables them.
 */
const setBad = async (system: TestSystem, live: boolean): Promise<void> => {
  await rowsOf(
    system,
    sql`update webhooks set status = ${live ? 'live' : 'disabled'}, failures = 0,
      failing_since = null, failed_at = null, usual_ms = 0, resume_at = now()
      where name <> 'healthy'`,
  );
  if (live)
    await rowsOf(
      system,
      sql`update webhook_deliveries set next_at = now() where status = 'pending'`,
    );
};

interface Watched {
  system: TestSystem;
  ids: readonly number[];
  /** The delay of each delivery in the present period, in milliseconds. */
  arrived: { late: number[] };
}

/** Causes events evenly during a period, and returns the delay of each event's arrival. */
const watch = async (
  { system, ids, arrived }: Watched,
  { seconds, rate }: EndpointOptions,
): Promise<{ late: number[]; missing: number }> => {
  arrived.late = [];
  const begun = performance.now();
  const events = seconds * rate;
  for (let no = 0; no < events; no++) {
    const id = ids[no % ids.length]!;
    await rowsOf(
      system,
      sql`update expresses set state_code = case state_code when 200 then 210 else 200 end
        where id = ${id}`,
    );
    await pause(Math.max(0, begun + ((no + 1) * 1_000) / rate - performance.now()));
  }
  await eventually(async () => arrived.late.length >= events, 30_000).catch(() => {});
  return { late: arrived.late, missing: events - arrived.late.length };
};

const measure = async (
  watched: Watched,
  options: EndpointOptions,
): Promise<Omit<Lateness, 'attempts'>> => {
  const { system } = watched;
  const result: Omit<Lateness, 'attempts'> = { quiet: [], busy: [], missing: 0 };
  await setBad(system, false);
  await watch(watched, { ...options, seconds: 3 });
  for (let round = 0; round < options.rounds; round++)
    for (const window of ['quiet', 'busy'] as const) {
      if (window === 'quiet' && round > 0) await pause(calmMs);
      await setBad(system, window === 'busy');
      const { late, missing } = await watch(watched, options);
      if (window === 'busy') await setBad(system, false);
      result[window].push(...late);
      result.missing += missing;
    }
  return result;
};

const startEndpoints = async (port: number, tlsPort: number): Promise<ChildProcess> => {
  const child = fork(join(import.meta.dirname, 'endpoints.ts'), [String(port), String(tlsPort)]);
  await once(child, 'message');
  return child;
};

/**
 * Measures the delay of the deliveries to a healthy webhook. Quiet periods without other deliveries
 * alternate with periods in which bad endpoints of other accounts get the same events.
 */
export const playEndpoints = async (options: EndpointOptions): Promise<Lateness> => {
  const [port, tlsPort] = [await freePort(), await freePort()];
  const endpoints = await startEndpoints(port, tlsPort);
  const arrived = { late: [] as number[] };
  endpoints.on('message', (late: number) => arrived.late.push(late));
  const system = await openTestSystem({
    config: {
      carrier: { timeoutMs: limitMs(10_000), pollSeconds: 1_800 },
      webhookAllow: [`127.0.0.1:${port}`, `127.0.0.1:${tlsPort}`],
    },
  });
  try {
    await system.topUp('nanshan', 10_000_000);
    const ids = await order(system);
    await system.worker.stop();
    await makeHooks(system, { port, tlsPort });
    const worker = await startWorkerProcess(system);
    try {
      const late = await measure({ system, ids, arrived }, options);
      const attempts = await rowsOf(
        system,
        sql<Lateness['attempts'][number]>`select k.name, sum(d.attempts)::int as attempts,
            max(d.error) as error
          from webhooks k join webhook_deliveries d on d.webhook_id = k.id
          where k.name <> 'healthy' group by k.name order by k.name`,
      );
      return { ...late, attempts };
    } finally {
      await worker.kill();
    }
  } finally {
    await system.close();
    endpoints.kill('SIGKILL');
  }
};
