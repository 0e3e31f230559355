import type { JobContext, TaskHandler } from '#platform/jobs/task.ts';
import { silentLog } from '#platform/log.ts';

/** Returns the handler with this name, and throws if no handler has this name. */
export const handlerOf = <Context>(
  handlers: readonly TaskHandler<Context>[],
  name: string,
): TaskHandler<Context> => {
  const found = handlers.find((handler) => handler.name === name);
  if (!found) throw new Error(`no task ${name}`);
  return found;
};

/** The context of a job that runs for the first time. */
export const firstAttempt: JobContext = {
  job_id: '1',
  attempt: 1,
  last: false,
  planned: false,
  log: silentLog(),
};

/** Runs a task immediately and without a worker. */
export const runHandler = <Context>(
  handlers: readonly TaskHandler<Context>[],
  name: string,
  context: Context,
  payload: object = {},
): Promise<void> => handlerOf(handlers, name).run(context, payload, firstAttempt);
