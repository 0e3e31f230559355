import { setFlagsFromString } from 'node:v8';
import { config } from './config.ts';
import { startSimulator } from './simulator.ts';
import type { Simulator } from './simulator.ts';

// A large load should not enlarge V8's young generation for ever. The program is mostly idle beside
// other programs, and need not be fast.
setFlagsFromString('--semi-space-growth-factor=1');

const say = (entry: Record<string, unknown>): void => {
  process.stdout.write(`${JSON.stringify({ time: new Date().toISOString(), ...entry })}\n`);
};

// The program that reads the output may end first.
process.stdout.on('error', () => {});

const textOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Returns one sentence for an error that usually prevents a start. */
const explained = (error: unknown): string => {
  const { code, port } = error as { code?: string; port?: number };
  if (code === 'EADDRINUSE') return `port ${port} is taken; set SIM_PORT to another one`;
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS')
    return `${textOf(error)}; choose a SIM_PORT or SIM_DATA this user may use`;
  return textOf(error);
};

const stopWith = (simulator: Simulator, exitWithParent: boolean): void => {
  let stopping = false;
  const stop = (why: string): void => {
    if (stopping) return;
    stopping = true;
    say({ msg: 'carrier simulator stops', why });
    void simulator.close().then(() => process.exit(0));
  };
  process.on('SIGTERM', () => stop('SIGTERM'));
  process.on('SIGINT', () => stop('SIGINT'));
  if (process.send !== undefined) process.on('disconnect', () => stop('its parent is gone'));
  if (!exitWithParent) return;
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) stop('its parent is gone');
  }, 1000).unref();
};

try {
  const { exitWithParent, ...options } = config();
  const simulator = await startSimulator({
    ...options,
    log: ({ msg, error }) => say({ msg, error: textOf(error) }),
  });
  stopWith(simulator, exitWithParent);
  const { url, port, control } = simulator;
  const { clock, orders } = control.health();
  say({
    msg: 'carrier simulator ready',
    url,
    port,
    now: clock.now,
    speed: clock.speed,
    orders,
    data: options.data ?? null,
  });
  process.send?.({ ready: true, url, port });
} catch (error) {
  process.stderr.write(`carrier simulator: ${explained(error)}\n`);
  process.exit(1);
}
