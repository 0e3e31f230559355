import { move, transferableSymbol, valueSymbol } from 'piscina';
import type { Params } from '@waystation/contract/base/envelope.ts';
import type { ErrorCode } from '@waystation/contract/base/errors.ts';
import { Failure } from '#platform/fail.ts';

/**
 * The result of a task in a thread. A failure is passed as code and parameters, because a copy
 * between threads loses the class of a Failure. `detail` is the text of any other error, for the
 * log.
 */
export type TaskResult<Out> =
  | { value: Out }
  | { failure: { code: ErrorCode; params: Params } }
  | { detail: string };

/**
 * Creates the `run` function that a program of `createWorkerPool` exports. `transfer` returns the
 * buffers of a result that are moved to the caller and not copied.
 */
export const workerTask =
  <In, Out>(
    work: (task: In) => Promise<Out>,
    transfer: (result: Out) => ArrayBuffer[] = () => [],
  ) =>
  async (task: In): Promise<TaskResult<Out>> => {
    try {
      const value = await work(task);
      return move({
        [transferableSymbol]: transfer(value),
        [valueSymbol]: { value },
      }) as unknown as TaskResult<Out>;
    } catch (error) {
      if (error instanceof Failure) return { failure: { code: error.code, params: error.params } };
      return { detail: error instanceof Error ? (error.stack ?? error.message) : String(error) };
    }
  };
