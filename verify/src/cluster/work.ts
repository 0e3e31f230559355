// waits in real time, because people pause between two actions
import { exampleParcel } from '@waystation/contract/parcels/example-parcel.ts';
import { setTimeout as pause } from 'node:timers/promises';
import { listenTo } from '@waystation/server/testing/event-client.ts';
import type { EventClient } from '@waystation/server/testing/event-client.ts';
import { demoPassword } from './product.ts';

/** A call of a simulated user. The status 0 means that the call got no answer. */
export interface Call {
  at: number;
  what: 'order' | 'read';
  status: number;
}

/** An order that the server confirmed with a stored parcel. */
export interface Acknowledged {
  /** The time of the answer. */
  at: number;
  id: number;
  key: string;
}

/**
 * The work of people who order parcels, read lists and keep a page open. It continues until `stop`
 * is called.
 */
export interface Work {
  calls: readonly Call[];
  acknowledged: readonly Acknowledged[];
  /** Returns, for each open page, the times at which its streams were reset since the time `at`. */
  resetsSince(at: number): number[][];
  /** The texts of refused calls that the client does not repeat. */
  oddities: readonly string[];
  stop(): Promise<void>;
}

const clerks = 5;
/**
 * The pause in milliseconds after each order of a clerk. All clerks together order ten times a
 * second if the answers are fast.
 */
const orderPauseMs = 450;
const readers = 3;
const readPauseMs = 300;
const pages = 4;
const answerMs = 20_000;

const parcel = { ...exampleParcel, wait: 0 };

interface Answer {
  status: number;
  data: Record<string, unknown>;
}

/** A simulated person. The token is empty until the person has logged in. */
interface Person {
  url: string;
  token: string;
}

const ask = async (
  { url, token }: Person,
  path: string,
  body?: object,
  key: string = crypto.randomUUID(),
): Promise<Answer> => {
  const answer = await fetch(url + path, {
    method: body ? 'POST' : 'GET',
    headers: {
      ...(token !== '' && { authorization: `Bearer ${token}` }),
      ...(body && { 'content-type': 'application/json', 'idempotency-key': key }),
    },
    ...(body && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(answerMs),
  }).catch(() => null);
  if (!answer) return { status: 0, data: {} };
  const text = await answer.text().catch(() => '');
  const isJson = answer.headers.get('content-type')?.startsWith('application/json');
  const parsed = isJson ? (JSON.parse(text) as { data?: Record<string, unknown> | null }) : {};
  return { status: answer.status, data: parsed.data ?? {} };
};

const logIn = async (url: string, username: string): Promise<Person> => {
  const { status, data } = await ask({ url, token: '' }, '/api/arco/login/password', {
    username,
    password: demoPassword,
  });
  if (status !== 200) throw new Error(`${username} could not log in: ${status}`);
  return { url, token: String(data['access_token']) };
};

/** Tops up the clerk's station, so that it can pay for all orders. */
const fund = async (clerk: Person): Promise<void> => {
  const office = await logIn(clerk.url, 'super');
  const first = await ask(clerk, '/api/arco/expresses', parcel);
  if (first.status !== 200) throw new Error(`no order: ${JSON.stringify(first)}`);
  const topUps = `/api/arco/stations/${Number(first.data['station_id'])}/top-ups`;
  for (let n = 0; n < 20; n++) {
    const { status, data } = await ask(office, topUps, {
      amount: 900_000,
      description: 'cluster',
    });
    if (status !== 200) throw new Error(`no top-up: ${JSON.stringify(data)}`);
  }
};

/** Keeps a page open as a browser does, and records the times at which its streams were reset. */
const follow = async (
  { url, token }: Person,
  resets: number[],
  isOver: () => boolean,
): Promise<void> => {
  let cursor: string | null = null;
  while (!isOver()) {
    const client: EventClient | null = await listenTo(
      `${url}/api/arco/events`,
      token,
      cursor,
    ).catch(() => null);
    for (let read = 0; client && !isOver() && !client.ended;) {
      for (; read < client.messages.length; read++)
        if (client.messages[read]!.reset === 1) resets.push(Date.now());
      await pause(100);
    }
    cursor = client?.cursor ?? cursor;
    client?.close();
    await pause(500);
  }
};

const readPaths = ['expresses?page_size=20', 'workplace', 'personal', 'statements?page_size=20'];

/** Lets the users of the demo data work through `url`, at a station with enough money. */
export const beginWork = async (url: string): Promise<Work> => {
  const [clerk, station] = [await logIn(url, 'clerk'), await logIn(url, 'station')];
  await fund(clerk);
  const calls: Call[] = [];
  const acknowledged: Acknowledged[] = [];
  const oddities: string[] = [];
  let isOver = false;
  const noted = async (what: Call['what'], call: () => Promise<Answer>): Promise<Answer> => {
    const at = Date.now();
    const answer = await call();
    calls.push({ at, what, status: answer.status });
    const isRepeated = answer.data['code'] === 'idempotency_in_progress';
    if (![0, 200, 429, 503].includes(answer.status) && !isRepeated)
      oddities.push(`${what} ${answer.status} ${JSON.stringify(answer.data).slice(0, 200)}`);
    return answer;
  };
  // Repeats each order with the same idempotency key until the order is acknowledged.
  const order = async (person: number): Promise<void> => {
    for (let n = 0; !isOver; n++) {
      const key = `cluster-${person}-${n}`;
      for (let made = false; !made && !isOver;) {
        const body = { ...parcel, thr_order_id: key };
        const { status, data } = await noted('order', () =>
          ask(clerk, '/api/arco/expresses', body, key),
        );
        made = status === 200;
        if (made) acknowledged.push({ at: Date.now(), id: Number(data['id']), key });
        await pause(orderPauseMs);
      }
    }
  };
  const read = async (person: number): Promise<void> => {
    for (let n = person; !isOver; n++) {
      await noted('read', () => ask(station, `/api/arco/${readPaths[n % readPaths.length]!}`));
      await pause(readPauseMs);
    }
  };
  const resets: number[][] = Array.from({ length: pages }, () => []);
  const working = [
    ...Array.from({ length: clerks }, (_, n) => order(n)),
    ...Array.from({ length: readers }, (_, n) => read(n)),
    ...resets.map((times) => follow(station, times, () => isOver)),
  ];
  return {
    calls,
    acknowledged,
    oddities,
    resetsSince: (since) => resets.map((all) => all.filter((at) => at >= since)),
    stop: async () => {
      isOver = true;
      await Promise.all(working);
    },
  };
};
