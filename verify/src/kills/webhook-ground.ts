import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Express } from '@waystation/contract/parcels/express.ts';
import { freePort, startApiProcess } from '@waystation/server/testing/api-process.ts';
import { limitMs } from '@waystation/server/testing/limits.ts';
import { exampleOrder, openTestSystem } from '@waystation/server/testing/test-system.ts';
import type { TestSystem } from '@waystation/server/testing/test-system.ts';
import { startWorkerProcess } from '@waystation/server/testing/worker-process.ts';
import type { Chance } from '#chance.ts';
import { offerSf } from '@waystation/server/testing/sf-offer.ts';
import type { SimulatedName } from '#simulated-carrier.ts';
import { promisesOf } from './plain-price.ts';
import type { Receipt } from './webhook-receiver.ts';
import { pause } from './worker-kills.ts';

/** The accounts that may see the station's events. Each of them gets webhooks. */
const owners = ['station', 'partner', 'admin'] as const;
const hooksOfEach = 2;
export const hookCount = owners.length * hooksOfEach;
const password = 'waystation-demo';

/** A process that is killed and started again. */
export interface Victim {
  name: string;
  /**
   * The weight of the process in the random choice: a process with twice the weight is chosen twice
   * as often.
   */
  weight: number;
  kill(): Promise<void>;
  start(): Promise<void>;
}

const victimOf = async (
  name: string,
  weight: number,
  start: () => Promise<{ kill(): Promise<void> }>,
): Promise<Victim> => {
  let running = await start();
  return {
    name,
    weight,
    kill: () => running.kill(),
    start: async () => {
      running = await start();
    },
  };
};

const startReceiver = async (words: readonly string[]): Promise<{ kill(): Promise<void> }> => {
  const child = fork(join(import.meta.dirname, 'webhook-receiver.ts'), words, {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const ended = once(child, 'exit');
  await once(child, 'message');
  return {
    kill: async () => {
      child.kill('SIGKILL');
      await ended;
    },
  };
};

interface Client {
  url: string;
  token: string;
  /**
   * The product codes with which parcels can be ordered. Each order uses a randomly chosen code.
   */
  promises: readonly string[];
}

/**
 * Repeats a call until it is answered. A careful client does the same. Returns null if the repeated
 * call was refused because the first call had already been executed.
 */
const insist = async <T>(
  { url, token }: Client,
  path: string,
  body: unknown,
  key?: string,
): Promise<T | null> => {
  for (const since = Date.now(); ;) {
    const answer = await fetch(`${url}${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(key !== undefined && { 'idempotency-key': key }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
      .then(async (response) => ({
        status: response.status,
        ...((await response.json()) as { data: T & { code?: string } }),
      }))
      .catch(() => null);
    if (answer?.status === 200) return answer.data;
    if (['state_forbids', 'cannot_cancel'].includes(answer?.data.code ?? '')) return null;
    const again = answer === null || answer.status >= 500 || [409, 429].includes(answer.status);
    if (!again || Date.now() - since > limitMs(120_000))
      throw new Error(`${path}: ${answer?.status} ${JSON.stringify(answer?.data)}`);
    await pause(100);
  }
};

/**
 * Orders a parcel, weighs it once or twice, and cancels it in some cases. Returns the number of
 * acknowledged calls.
 */
export const liveParcel = async (client: Client, chance: Chance, key: string): Promise<number> => {
  const path = '/api/arco/expresses';
  const weight = chance.between(500, 9_000);
  const ordered = await insist<Express>(
    client,
    path,
    exampleOrder({ weight, promise_id: chance.pick(client.promises) }),
    key,
  );
  const one = `${path}/${ordered!.id}`;
  for (const since = Date.now(); ;) {
    const found = await insist<Express>(client, one, undefined);
    if (found!.state_code === 100) break;
    if (Date.now() - since > limitMs(120_000))
      throw new Error(`${one} stays in ${found!.state_txt}`);
    await pause(50);
  }
  const weighings = chance.between(1, 2);
  for (let n = 1; n <= weighings; n++)
    await insist(client, `${one}/reweigh`, { re_weight: weight + n * 1_000, reason: '复重' });
  if (chance.below(2) === 0) return 1 + weighings;
  await insist(client, `${one}/cancel`, { reason: '买家退单' });
  return 2 + weighings;
};

/**
 * Creates webhooks for all events of parcels and transactions, the same number for each kind of
 * account. Returns the secret of each webhook by its path.
 */
const makeHooks = async (
  system: TestSystem,
  port: number,
  tokens: Readonly<Record<string, string>>,
): Promise<Record<string, string>> => {
  const secrets: Record<string, string> = {};
  for (const owner of owners)
    for (let n = 1; n <= hooksOfEach; n++) {
      const hook = `/${owner}/${n}`;
      const { status, data } = await system.call<{ secret: string }>(
        tokens[owner]!,
        'POST',
        '/api/arco/webhooks',
        {
          name: `${owner} ${n}`,
          url: `http://127.0.0.1:${port}${hook}`,
          events: [
            'parcel.on_hold',
            'parcel.refused',
            'parcel.ordered',
            'parcel.reweighed',
            'parcel.cancelled',
            'statement.posted',
          ],
          station_id: null,
          with_below: 1,
          password,
        },
      );
      if (status !== 200) throw new Error(`${hook}: ${status} ${JSON.stringify(data)}`);
      secrets[hook] = data.secret;
    }
  return secrets;
};

/**
 * The tested system, the processes that can be killed in it, and the deliveries that the webhook
 * receiver has recorded.
 */
export interface Ground {
  system: TestSystem;
  victims: readonly Victim[];
  client: Client;
  /** The URL paths of the webhooks. */
  hooks: readonly string[];
  receipts(): Receipt[];
  close(): Promise<void>;
}

/** Starts the tested system. On average, one of `refuses` deliveries is first refused. */
export const openGround = async ({
  deadAfterMs,
  refuses,
  carriers,
}: {
  deadAfterMs: number;
  refuses: number;
  carriers: readonly SimulatedName[];
}): Promise<Ground> => {
  const folder = mkdtempSync(join(tmpdir(), 'waystation-webhooks-'));
  const [file, secretsFile] = [join(folder, 'receipts'), join(folder, 'secrets')];
  writeFileSync(file, '');
  const [apiPort, port] = [await freePort(), await freePort()];
  const system = await openTestSystem({
    config: {
      carrier: { timeoutMs: 3_000, pollSeconds: 1_800 },
      webhookAllow: [`127.0.0.1:${port}`],
    },
  });
  const victims: Victim[] = [];
  const close = async (): Promise<void> => {
    await Promise.all(victims.map((victim) => victim.kill()));
    await system.close();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    // The built-in worker is stopped, so that only processes that the test can kill do background
    // work.
    await system.worker.stop();
    const tokens = await system.loginAll();
    await system.topUp('nanshan', 1_000_000_000);
    if (carriers.includes('sf')) await offerSf(system, tokens.admin);
    const secrets = await makeHooks(system, port, tokens);
    writeFileSync(secretsFile, JSON.stringify(secrets));
    const dead = { WAYSTATION_WORKER_DEAD_AFTER_MS: String(deadAfterMs) };
    // The webhooks of a killed worker must wait until its leases end. The worker is therefore
    // killed less often than the other processes.
    victims.push(
      await victimOf('API', 4, () => startApiProcess(system, apiPort)),
      await victimOf('worker', 1, () => startWorkerProcess(system, dead)),
      await victimOf('receiver', 3, () =>
        startReceiver([String(port), file, secretsFile, String(refuses)]),
      ),
    );
    return {
      system,
      victims,
      client: {
        url: `http://127.0.0.1:${apiPort}`,
        token: tokens.clerk,
        promises: carriers.flatMap((name) => promisesOf[name]),
      },
      hooks: Object.keys(secrets),
      receipts: () =>
        readFileSync(file, 'utf8')
          .split('\n')
          .filter(Boolean)
          .map((line) => JSON.parse(line) as Receipt),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
};
