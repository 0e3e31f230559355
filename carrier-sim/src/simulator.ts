import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { createControl } from './control.ts';
import { serveControl } from './control-routes.ts';
import { createFaults } from './faults.ts';
import { serveCarrier, TooLarge } from './http-edge.ts';
import { claimDirectory } from './instance.ts';
import { forgetfulJournal, openJournal } from './journal.ts';
import { createPoster } from './post-json.ts';
import { createPushQueue } from './push-queue.ts';
import { createRecent } from './recent.ts';
import { changedSettings, defaultSettings } from './settings.ts';
import { afterStop, createSimClock } from './sim-clock.ts';
import { createAccounts, exampleApplication } from './jdl/accounts.ts';
import { createJdlCarrier } from './jdl/jdl-carrier.ts';
import { createWorld, latestInstant, resumeWorld, snapshotOf } from './jdl/world.ts';
import { createSfCarrier } from './sf/sf-carrier.ts';
import { createSfControl } from './sf/sf-control.ts';
import {
  createSfWorld,
  examplePartner,
  latestSfInstant,
  resumeSf,
  sfSnapshot,
} from './sf/sf-world.ts';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { MailCatcher } from './mail/catcher.ts';
import { serveMail } from './mail/page.ts';
import type { Control } from './control.ts';
import type { Edge, RequestRecord } from './http-edge.ts';
import type { Journal } from './journal.ts';
import type { PushQueue, PushRecord } from './push-queue.ts';
import type { Settings, SettingsChange } from './settings.ts';
import type { ClockMark, SimClock } from './sim-clock.ts';
import type { ApplicationInput } from './jdl/accounts.ts';
import type { JdlRecord, World } from './jdl/world.ts';
import type { Partner, SfRecord, SfWorld } from './sf/sf-world.ts';

export type SimulatorOptions = {
  /** The port to listen on; 0, the default, uses any free port. */
  port?: number;
  host?: string;
  /**
   * The port of the mail catcher, with 0 any free port. Null, the default, if no mail catcher runs.
   */
  mailPort?: number | null;
  /**
   * A directory that keeps the carrier's state after the program's end; without it the state is
   * lost.
   */
  data?: string | undefined;
  seed?: string;
  /** The speed of simulated time: 1 to 100,000 times the speed of real time. */
  speed?: number;
  paused?: boolean;
  /**
   * The start of simulated time (epoch ms); the real time by default. If there is a journal, its
   * time is used instead.
   */
  now?: number | undefined;
  /**
   * The first number of a waybill and of an order, unless the journal already contains higher
   * numbers.
   */
  firstNumber?: number;
  applications?: readonly ApplicationInput[];
  /** The accounts of the second carrier, SF Express. */
  partners?: readonly Partner[];
  /** The callback URL of every account that has none of its own. */
  callbackUrl?: string | undefined;
  /** Every control request must send this token as `x-sim-token`. */
  controlToken?: string | undefined;
  settings?: SettingsChange;
  /** Receives the program's own failures. */
  log?: (entry: { msg: string; error?: unknown }) => void;
};

export type Simulator = {
  url: string;
  port: number;
  /** The port of the mail catcher; null if none runs. */
  mailPort: number | null;
  control: Control;
  close(): Promise<void>;
};

type JournalRecord =
  | { c: 'clock'; m: ClockMark }
  | { c: 'jdl'; r: JdlRecord }
  | { c: 'sf'; r: SfRecord };

const requestsKept = 2000;
const pushesKept = 5000;
const markEvery = 250;

type Core = {
  clock: SimClock;
  control: Control;
  edge: Edge;
  store(): void;
  close(): void;
};

const startMark = (options: SimulatorOptions, journal: Journal<JournalRecord>): ClockMark => {
  const real = Date.now();
  let stored: ClockMark | undefined;
  for (const record of journal.read('{"c":"clock"')) if (record.c === 'clock') stored = record.m;
  if (stored !== undefined)
    return { ...afterStop(stored, real), speed: options.speed ?? stored.speed };
  return {
    sim: options.now ?? real,
    real,
    speed: options.speed ?? 1,
    paused: options.paused ?? false,
  };
};

function* jdlRecords(journal: Journal<JournalRecord>): Generator<JdlRecord> {
  for (const record of journal.read()) if (record.c === 'jdl') yield record.r;
}

function* sfRecords(journal: Journal<JournalRecord>): Generator<SfRecord> {
  for (const record of journal.read('{"c":"sf"')) if (record.c === 'sf') yield record.r;
}

/**
 * Stores the journal: records with the time of the clock. It rewrites the journal when it has
 * become long.
 */
const createKeeper = (
  journal: Journal<JournalRecord>,
  clock: SimClock,
  worlds: () => { world: World; sf: SfWorld },
) => {
  let markedAt = 0;
  let rewriting = false;
  function* everything(): Generator<JournalRecord> {
    yield { c: 'clock', m: clock.mark() };
    const { world, sf } = worlds();
    for (const r of snapshotOf(world)) yield { c: 'jdl', r };
    for (const r of sfSnapshot(sf)) yield { c: 'sf', r };
  }
  const store = (): void => journal.rewrite(everything());
  const append = (records: readonly JournalRecord[], mark: boolean): void => {
    const lines = [...records];
    if (mark || Date.now() - markedAt >= markEvery) {
      lines.push({ c: 'clock', m: clock.mark() });
      markedAt = Date.now();
    }
    journal.append(lines);
    if (rewriting || !journal.isLong()) return;
    rewriting = true;
    setImmediate(() => {
      store();
      rewriting = false;
    });
  };
  return { store, append };
};

/**
 * Restores the state that an earlier run has stored. The clock continues after the last event of
 * that run.
 */
const resume = (
  journal: Journal<JournalRecord>,
  { world, sf, clock }: { world: World; sf: SfWorld; clock: SimClock },
): void => {
  resumeWorld(world, jdlRecords(journal));
  resumeSf(sf, sfRecords(journal));
  const latest = Math.max(latestInstant(world), latestSfInstant(sf));
  if (latest > clock.now()) clock.moveTo(latest);
};

/** Opens the simulated SF, which shares the clock, the pushes and the settings with JDL. */
const openSf = (
  options: SimulatorOptions,
  shared: { clock: SimClock; pushes: PushQueue; settings(): Settings },
  append: (records: readonly JournalRecord[]) => void,
): SfWorld =>
  createSfWorld({
    ...shared,
    seed: options.seed ?? 'waystation',
    realNow: Date.now,
    firstNumber: options.firstNumber ?? 1,
    partners: (options.partners ?? [examplePartner]).map((partner) => ({
      ...partner,
      callback_url: partner.callback_url ?? options.callbackUrl ?? null,
    })),
    append: (records) => append(records.map((r) => ({ c: 'sf', r }))),
  });

const applicationsOf = (options: SimulatorOptions): ApplicationInput[] =>
  (options.applications ?? [exampleApplication]).map((application) => ({
    ...application,
    accounts: application.accounts.map((account) => ({
      ...account,
      callback_url: account.callback_url ?? options.callbackUrl ?? null,
    })),
  }));

const createCore = (
  options: SimulatorOptions,
  journal: Journal<JournalRecord>,
  url: () => string,
): Core => {
  let settings: Settings = changedSettings(defaultSettings, options.settings ?? {});
  const stopping = new AbortController();
  const requestLog = createRecent<RequestRecord>(requestsKept);
  const pushLog = createRecent<PushRecord>(pushesKept);
  const clock = createSimClock(startMark(options, journal), Date.now, () => {
    world.agenda.reschedule();
    sf.agenda.reschedule();
  });
  const keeper = createKeeper(journal, clock, () => ({ world, sf }));
  const pushes = createPushQueue(() => settings, createPoster(), pushLog);
  const world: World = createWorld({
    seed: options.seed ?? 'waystation',
    clock,
    settings: () => settings,
    realNow: Date.now,
    accounts: createAccounts(applicationsOf(options), Date.now),
    firstNumber: options.firstNumber ?? 1,
    pushes,
    pushLog,
    append: (records) =>
      keeper.append(
        records.map((r) => ({ c: 'jdl', r })),
        false,
      ),
  });
  const sf = openSf(options, { clock, pushes, settings: () => settings }, (records) =>
    keeper.append(records, false),
  );
  resume(journal, { world, sf, clock });
  const faults = createFaults();
  const control = createControl({
    world,
    sf: { agenda: sf.agenda, control: createSfControl(sf) },
    clock,
    faults,
    pushes,
    requestLog,
    pushLog,
    settings: () => settings,
    keepSettings: (next) => {
      settings = next;
    },
    keepClock: () => keeper.append([], true),
  });
  return {
    clock,
    control,
    edge: {
      carriers: [createJdlCarrier(world), createSfCarrier(sf, url)],
      faults,
      requests: requestLog,
      clock,
      signal: stopping.signal,
    },
    store: keeper.store,
    close: () => {
      keeper.append([], true);
      stopping.abort();
      world.agenda.close();
      sf.agenda.close();
      pushes.close();
      journal.close();
    },
  };
};

const listen = (server: Server, port: number, host: string): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });

const addressOf = (server: Server, host: string): { url: string; port: number } => {
  const { port } = server.address() as AddressInfo;
  return { url: `http://${host.includes(':') ? `[${host}]` : host}:${port}`, port };
};

const closeServer = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });

/**
 * Opens the mail catcher, which is loaded only if a port for it is configured. Returns null if no
 * port is configured, or if the port is in use.
 */
const openCatcher = async (
  port: number | null,
  log: NonNullable<SimulatorOptions['log']>,
): Promise<MailCatcher | null> => {
  if (port === null) return null;
  const { startMailCatcher } = await import('./mail/catcher.ts');
  return startMailCatcher(port).catch((error: unknown) => {
    log({ msg: 'the port for mail is taken, so that none is caught', error });
    return null;
  });
};

/**
 * Starts a simulated carrier and resolves when it answers. Continues from the journal in the data
 * directory, even if the last run was killed. Throws one sentence if its port or its data directory
 * is in use, or its journal is damaged.
 */
export const startSimulator = async (options: SimulatorOptions = {}): Promise<Simulator> => {
  const host = options.host ?? '127.0.0.1';
  const instance = randomUUID();
  const log = options.log ?? (() => {});
  let core: Core | undefined;
  let catcher: MailCatcher | null = null;
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://carrier');
    const isControl = url.pathname.startsWith('/_sim/');
    // Until the journal is read, only `/_sim/alive` is answered. Another simulator calls it to
    // learn which process uses the data directory.
    if (core === undefined && url.pathname !== '/_sim/alive') {
      response.writeHead(503, { 'retry-after': '1' }).end();
      return;
    }
    if (catcher !== null && /^\/mail(?:\/|$)/.test(url.pathname))
      return serveMail(catcher, request, response, url.pathname);
    const served = isControl
      ? serveControl(
          { control: core?.control as Control, token: options.controlToken ?? null, instance },
          request,
          response,
          url,
        )
      : serveCarrier(core?.edge as Edge, request, response, url);
    served.catch((error: unknown) => {
      // The caller has disconnected, or the program is ending, so nobody waits for the answer.
      if (response.destroyed || request.destroyed || (error as Error).name === 'AbortError') return;
      const tooLarge = error instanceof TooLarge;
      if (!tooLarge) log({ msg: 'a request could not be served', error });
      if (!response.headersSent)
        response.writeHead(tooLarge ? 413 : 500, { connection: 'close' }).end();
    });
  });
  // Idle connections are kept longer than ordinary clients keep them. Otherwise a client could
  // write into a connection that is being closed.
  server.keepAliveTimeout = 75_000;
  await listen(server, options.port ?? 0, host);
  const address = addressOf(server, host);
  try {
    if (options.data !== undefined)
      await claimDirectory(options.data, { url: address.url, instance });
    core = createCore(
      options,
      options.data === undefined ? forgetfulJournal() : openJournal(options.data),
      () => address.url,
    );
  } catch (error) {
    await closeServer(server);
    throw error;
  }
  core.store();
  const { control, close } = core;
  catcher = await openCatcher(options.mailPort ?? null, log);
  return {
    ...address,
    mailPort: catcher?.port ?? null,
    control,
    close: async () => {
      close();
      await catcher?.close();
      await closeServer(server);
    },
  };
};
