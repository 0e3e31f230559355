/**
 * The product with a faulty connection to a simulated carrier. Functions, jobs, database, adapters
 * and simulator are the real ones. The product and the simulated carrier share one clock, but calls
 * are signed with the machine's time.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Provider } from '@waystation/contract/network/provider.ts';
import type { CarrierContext } from '#domain/carrier-accounts/carrier-accounts.ts';
import * as adapters from '#domain/carriers/adapters.ts';
import { openWire, outboundPolicy } from '#domain/carriers/carriers.ts';
import { pushStore } from '#domain/express/express.ts';
import { exampleKeys } from '#features/demo/network.ts';
import { topUp } from '#domain/ledger/ledger.ts';
import { standingClock, systemClock } from '#platform/clock.ts';
import { jsonText, sql } from '#platform/db/db.ts';
import { systemScope } from '#platform/db/scope.ts';
import { offerSf } from '#testing/sf-offer.ts';
import { startCarrier } from '#testing/simulator.ts';
import type { TestCarrier } from '#testing/simulator.ts';
import { startTestApi } from '#testing/test-api.ts';
import type { TestApi } from '#testing/test-api.ts';
import { openJobs } from './jobs.ts';
import type { Jobs, JobsOptions } from './jobs.ts';
import { openFaultyLine } from './line.ts';
import type { FaultyLine, FaultyLineOptions } from './line.ts';
import { mortalDb, mortalWire } from './mortal.ts';

const all = systemScope('carrier faults');

/**
 * The random choices of a history: what happens to each carrier call, and when each process dies.
 */
export interface Chances
  extends Pick<FaultyLineOptions, 'fateOf'>, Pick<JobsOptions, 'lifeOf' | 'deadAfterMs'> {}

export interface FaultGround {
  api: TestApi;
  carrier: TestCarrier;
  /** The context for actions of people. People do not die with the simulated process. */
  context: CarrierContext;
  jobs: Jobs;
  line: FaultyLine;
  /** The random choices of the present history. Each history sets its own. */
  chances: Chances;
  now(): Date;
  /** Sets both clocks to this time. No job is run. */
  moveTo(at: Date): void;
  /**
   * Sets the product's clock to the carrier's clock, because the last step may have moved the
   * carrier's clock forward.
   */
  follow(): Promise<void>;
  /** Returns the pushes that have arrived since the last call of this function, oldest first. */
  pushes(): Promise<string[]>;
  /** Stores pushes as the product does when they arrive at its URL. */
  push(provider: Provider, bodies: readonly string[]): Promise<void>;
  close(): Promise<void>;
}

/** Opens a server that receives the pushes of the simulator instead of the product. */
const openReceiver = async () => {
  let bodies: string[] = [];
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      bodies.push(Buffer.concat(parts).toString());
      response.end(JSON.stringify({ code: '200', return_code: '0000' }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/push`,
    taken: () => {
      const taken = bodies;
      bodies = [];
      return taken;
    },
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};

/** Sets limits that no charge of the simulator exceeds, and fills the wallets. */
const prepareMoney = (api: TestApi, surchargeCode: string): Promise<void> =>
  api.app.db.tx(all, async (work) => {
    const times = ['weight', 'price', 'cost', 'surcharge'].map((name) => `charge_${name}_times`);
    for (const [name, value] of [
      ...times.map((time) => [time, 100] as const),
      ['known_fee_codes', surchargeCode] as const,
    ])
      await sql`insert into settings (name, value) values (${name}, ${jsonText(value)}::jsonb)`.execute(
        work.tx,
      );
    await topUp(work, {
      station_id: api.station('nanshan').id,
      amount: 100_000_000_000,
      description: '',
      cause: 'carrier faults',
      at: api.clock.now(),
      by: api.network.office,
    });
  });

const secretOfSf = async (api: TestApi, carrier: TestCarrier, url: string): Promise<string> => {
  const office = await api.login('admin');
  const merchant = await offerSf({ ...api, carrier }, office);
  const { data } = await api.call<{ path: string }>(
    office,
    'POST',
    `/api/arco/merchants/${merchant.id}/push-address`,
  );
  const { keys } = await carrier.control<{ keys: { partner_id: string }[] }>('GET', 'sf/keys');
  await carrier.control('POST', 'sf/partner', {
    partner_id: keys[0]!.partner_id,
    callback_url: url,
  });
  return data.path.split('/').at(-1)!;
};

const calm: Chances = {
  fateOf: () => null,
  lifeOf: () => ({ left: null, diedAt: null }),
  deadAfterMs: () => 1_000,
};

/**
 * Starts the product and the simulated carriers with one common clock, and creates accounts of both
 * carriers.
 */
const openSides = async (surchargeCode: string) => {
  const start = new Date(Math.ceil(Date.now() / 1_000) * 1_000);
  const carrier = await startCarrier({ SIM_NOW: start.toISOString() });
  const receiver = await openReceiver();
  const clock = standingClock(start);
  const api = await startTestApi({
    clock,
    config: {
      simulator: { port: carrier.port, url: carrier.url },
      outboundAllow: [`127.0.0.1:${carrier.port}`],
    },
  });
  const secrets: Partial<Record<Provider, string>> = {
    jdl: api.network.push_secret,
    sf: await secretOfSf(api, carrier, receiver.url),
  };
  const { customer_code } = exampleKeys;
  await carrier.control('POST', 'callbacks', { customer_code, url: receiver.url });
  await prepareMoney(api, surchargeCode);
  return { api, receiver, clock, secrets, ...carrierBehind(carrier, clock) };
};

/** Moves the carrier's clock forward to the product's clock before each call to the carrier. */
const carrierBehind = (carrier: TestCarrier, clock: ReturnType<typeof standingClock>) => {
  let behindMs = 0;
  const catchUp = async (): Promise<void> => {
    const ms = behindMs;
    behindMs = 0;
    if (ms > 0) await carrier.control('POST', 'clock/advance', { ms });
  };
  const control: TestCarrier['control'] = async (...call) => {
    await catchUp();
    return carrier.control(...call);
  };
  const moveTo = (at: Date): void => {
    const ms = at.getTime() - clock.now().getTime();
    if (ms <= 0) return;
    behindMs += ms;
    clock.set(at);
  };
  return { carrier: { ...carrier, control }, catchUp, moveTo };
};

export const openFaultGround = async (surchargeCode: string): Promise<FaultGround> => {
  const { api, carrier, receiver, clock, secrets, catchUp, moveTo } =
    await openSides(surchargeCode);
  const outbound = outboundPolicy([`127.0.0.1:${carrier.port}`]);
  const wire = openWire({ outbound, timeoutMs: 20_000 });
  const line = openFaultyLine({
    wire: {
      ...wire,
      post: async (request) => {
        await catchUp();
        return wire.post(request);
      },
    },
    control: carrier.control,
    fateOf: (call) => ground.chances.fateOf(call),
    pass: async (ms) => moveTo(new Date(clock.now().getTime() + ms)),
  });
  const life = () => jobs.life();
  const mortal = mortalWire(line, life);
  const carriers = Object.fromEntries(
    Object.entries(adapters).map(([name, open]) => [
      name,
      open({ wire: mortal, clock: systemClock }),
    ]),
  );
  const app = { ...api.app, carrierOf: (name: string) => carriers[name]! };
  const jobs = openJobs({
    db: api.app.db,
    context: { ...app, db: mortalDb(app.db, life) },
    now: clock.now,
    lifeOf: (task) => ground.chances.lifeOf(task),
    deadAfterMs: () => ground.chances.deadAfterMs(),
  });
  const store = pushStore(api.app.db, 0);
  const ground: FaultGround = {
    api,
    carrier,
    context: app,
    jobs,
    line,
    chances: calm,
    now: clock.now,
    moveTo,
    follow: async () => {
      const { now } = await carrier.control<{ now: string }>('GET', 'clock');
      const at = new Date(now);
      if (at > clock.now()) clock.set(at);
    },
    pushes: async () => {
      await carrier.control('POST', 'pushes/settle', { within_ms: 10_000 });
      return receiver.taken();
    },
    push: async (provider, bodies) => {
      const known = await Promise.all(
        bodies.map((body) => store(provider, secrets[provider]!, body)),
      );
      if (known.includes(false)) throw new Error(`a push of ${provider} is not known`);
    },
    close: async () => {
      line.close();
      await api.close();
      await receiver.close();
      await carrier.stop();
    },
  };
  return ground;
};
