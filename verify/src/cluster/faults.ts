// waits in real time, because a fault must last for some time
import { setTimeout as pause } from 'node:timers/promises';
import type { Machine } from './machines.ts';
import type { Product } from './product.ts';
import type { Servers } from './servers.ts';

export interface Ground {
  machines: readonly Machine[];
  servers: Servers;
  product: Product;
}

/** A fault that happens while people work, and the repair of the fault. */
export interface Fault {
  name: string;
  /** True if writes are refused until the fault is repaired. */
  stopsWrites?: boolean;
  /** Causes the fault, and resolves when the fault is repaired. */
  play(ground: Ground): Promise<void>;
}

/**
 * A duration in milliseconds. It is longer than Patroni's `ttl` of 20 s plus the time of Patroni's
 * checks.
 */
const longMs = 60_000;
const shortMs = 20_000;

/** Switches machines off and later on again. */
const switchedOff = async (
  { servers }: Ground,
  machines: readonly Machine[],
  ms: number,
): Promise<void> => {
  for (const machine of machines) machine.signal('SIGKILL');
  await pause(ms);
  for (const machine of machines) servers.start(machine);
};

export const faults: readonly Fault[] = [
  {
    name: 'primary dies',
    play: async (ground) => switchedOff(ground, [(await ground.servers.roles()).primary], longMs),
  },
  {
    name: 'PostgreSQL of the primary dies alone',
    play: async ({ servers }) => {
      (await servers.roles()).primary.signalSome('SIGKILL', 'postgres');
      await pause(shortMs);
    },
  },
  { name: 'planned switchover', play: ({ servers }) => servers.switchover() },
  {
    name: 'primary cut off',
    play: async ({ servers }) => {
      const { primary } = await servers.roles();
      primary.plug(false);
      await pause(longMs);
      primary.plug(true);
    },
  },
  {
    name: 'primary stands still for 40 s',
    play: async ({ servers }) => {
      const { primary } = await servers.roles();
      primary.signal('SIGSTOP');
      await pause(40_000);
      primary.signal('SIGCONT');
    },
  },
  {
    name: 'synchronous standby dies',
    play: async (ground) =>
      switchedOff(ground, [(await ground.servers.roles()).standbys[0]!], longMs),
  },
  {
    name: 'two of three servers die',
    stopsWrites: true,
    play: async (ground) => switchedOff(ground, (await ground.servers.roles()).standbys, longMs),
  },
  {
    name: 'etcd without majority',
    stopsWrites: true,
    play: async ({ servers }) => {
      const { standbys } = await servers.roles();
      for (const machine of standbys) machine.signalSome('SIGKILL', 'etcd --name');
      await pause(longMs);
      for (const machine of standbys) servers.startEtcd(machine);
    },
  },
  {
    name: 'an API process dies',
    play: async ({ product: { apis } }) => {
      await apis[0]!.end('SIGKILL');
      await pause(shortMs);
      await apis[0]!.start();
    },
  },
  {
    name: 'the worker dies',
    play: async ({ product: { worker } }) => {
      await worker.end('SIGKILL');
      await pause(shortMs);
      await worker.start();
    },
  },
  {
    name: 'API processes restarted in turn',
    play: async ({ product: { apis } }) => {
      for (const api of apis) {
        await api.end('SIGTERM');
        await api.start();
        // Waits because the load balancer checks the API only every two seconds.
        await pause(5_000);
      }
    },
  },
];
