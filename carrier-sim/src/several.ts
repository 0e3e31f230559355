/**
 * A program for tests. It starts several simulators in one process, each with its own port, clock
 * and state. A separate program for each simulator would load and compile the same code again.
 */
import { configFrom } from './config.ts';
import { startSimulator } from './simulator.ts';
import type { Simulator } from './simulator.ts';

/** A request of the parent process; `no` is the number of a simulator. */
type Request = { no: number; start?: Record<string, string> };

const running = new Map<number, Simulator>();

const answerTo = async ({ no, start }: Request): Promise<object> => {
  if (start === undefined) {
    await running.get(no)?.close();
    running.delete(no);
    return { no };
  }
  const { exitWithParent: _, ...options } = configFrom(start);
  const simulator = await startSimulator(options);
  running.set(no, simulator);
  return { no, port: simulator.port };
};

process.on('message', (request: Request) => {
  answerTo(request)
    .catch((error: unknown) => ({ no: request.no, problem: String(error) }))
    .then((answer) => process.send?.(answer))
    .catch(() => {});
});
process.on('disconnect', () => process.exit());
