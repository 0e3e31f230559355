/**
 * S9: the time until the login page and the first list are ready in a browser without a cache. The
 * processor is slowed down four times, and the network has 10 Mbit/s. The same pages, built with
 * react-admin and with plain antd, are measured in turns with them. `WAYSTATION_BENCH_BEFORE` is
 * the path of another checkout. Its build is then measured in the same rounds.
 */
import { resolve } from 'node:path';
import type { Browser } from 'playwright-core';
import { startBrowser } from './browser/chromium.ts';
import { peers, preparePeers, servePeers } from './browser/peers.ts';
import type { Peer } from './browser/peers.ts';
import { startProduct } from './browser/product.ts';
import type { Product } from './browser/product.ts';
import { median, runBench } from './browser/program.ts';
import { timeToReady } from './browser/ready.ts';
import type { Ready } from './browser/ready.ts';

const thresholds = { list: 0.6, login: 0.9 };
const checkoutBefore = process.env['WAYSTATION_BENCH_BEFORE'];
const minutes = checkoutBefore ? 9 : 5;
/**
 * The number of rounds. New rounds begin until `until` milliseconds have passed. There are at least
 * `least` and at most `most` rounds.
 */
const rounds = { least: 3, most: 9, until: checkoutBefore ? 400_000 : 200_000 };

type Subject = 'ours' | 'before' | Peer;
type PageKind = 'list' | 'login';
interface Target {
  url: string;
  ready: readonly Ready[];
  token?: string;
}

const loginForm: Ready[] = [
  { selector: 'input[name=username]', count: 1 },
  { selector: 'button[type=submit]', count: 1 },
];

type Targets = ReadonlyMap<Subject, Record<PageKind, Target>>;

const productTargets = ({ base, token }: Product): Record<PageKind, Target> => ({
  list: {
    url: `${base}/#/model/expresses`,
    token,
    ready: [{ selector: '[role=grid] [role=row][aria-selected]', count: 20 }],
  },
  login: { url: `${base}/#/login`, ready: loginForm },
});

const peerTargets = (at: Record<Peer, string>): Record<Peer, Record<PageKind, Target>> => ({
  'react-admin': {
    list: {
      url: `${at['react-admin']}#/parcels`,
      token: 'any',
      ready: [{ selector: 'tbody tr', count: 20 }],
    },
    login: { url: `${at['react-admin']}#/login`, ready: loginForm },
  },
  antd: {
    list: {
      url: `${at.antd}#/parcels`,
      token: 'any',
      ready: [{ selector: 'tbody tr.ant-table-row', count: 20 }],
    },
    login: { url: `${at.antd}#/login`, ready: loginForm },
  },
});

type Times = ReadonlyMap<Subject, Record<PageKind, number[]>>;

/**
 * In each round, every page of every subject is measured once. Each round begins with another
 * subject than the round before. The first round warms up the servers and the browser and is not
 * counted.
 */
const takeRounds = async (browser: Browser, targets: Targets): Promise<Times> => {
  const subjects = [...targets.keys()];
  const times: Times = new Map(subjects.map((subject) => [subject, { list: [], login: [] }]));
  for (
    let round = 0;
    round <= rounds.least || (round <= rounds.most && performance.now() < rounds.until);
    round++
  )
    for (let step = 0; step < subjects.length; step++) {
      const subject = subjects[(round + step) % subjects.length]!;
      for (const kind of ['list', 'login'] as const) {
        const ms = await timeToReady(browser, targets.get(subject)![kind]).catch(
          (error: unknown) => {
            throw new Error(
              `the ${kind} of ${subject} was not ready: ${error instanceof Error ? error.message.split('\n')[0] : String(error)}`,
            );
          },
        );
        if (round > 0) times.get(subject)![kind].push(ms);
      }
    }
  return times;
};

const seconds = (ms: number): string => `${(ms / 1000).toFixed(2)} s`;

const report = (kind: PageKind, times: Times): boolean => {
  const medians = Array.from(times, ([subject, kinds]) => ({ subject, ms: median(kinds[kind]) }));
  const msOf = (subject: Subject): number => medians.find((one) => one.subject === subject)!.ms;
  const best = Math.min(...peers.map(msOf));
  const ratio = msOf('ours') / best;
  const ok = ratio <= thresholds[kind];
  console.log(
    `S9 ${kind} vs best peer ${ratio.toFixed(2)} (≤ ${thresholds[kind].toFixed(2)}) ${ok ? 'ok' : 'MISSED'}`,
  );
  if (checkoutBefore)
    console.log(
      `   ${kind} before vs best peer ${(msOf('before') / best).toFixed(2)}, now vs before ${(msOf('ours') / msOf('before')).toFixed(2)}`,
    );
  console.log(
    `   ${kind}, medians of ${times.get('ours')![kind].length} rounds: ${medians.map(({ subject, ms }) => `${subject} ${seconds(ms)}`).join(', ')}`,
  );
  return ok;
};

await runBench('S9 web', minutes, async () => {
  const browser = await startBrowser();
  preparePeers();
  const product = await startProduct('web');
  const before = checkoutBefore
    ? await startProduct('web-before', { checkout: resolve(checkoutBefore) })
    : null;
  const served = peerTargets(await servePeers(product.parcels));
  const targets: Targets = new Map<Subject, Record<PageKind, Target>>([
    ['ours', productTargets(product)],
    ...(before ? [['before', productTargets(before)] as const] : []),
    ...peers.map((peer) => [peer, served[peer]] as const),
  ]);
  const times = await takeRounds(browser, targets);
  const kept = [report('list', times), report('login', times)];
  console.log(
    '   recorded, not of this run (another day, a noisy machine of 2 cores, the same throttle): list ant-design-pro 5.5 s; login ant-design-pro 3.2 s, arco-design-pro 1.2 s',
  );
  return kept.every(Boolean);
});
