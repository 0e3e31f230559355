import * as z from 'zod/mini';
import { sql } from '#platform/db/db.ts';
import type { RawBuilder, Work } from '#platform/db/db.ts';
import type { Log } from '#platform/log.ts';

/** The values that a task gets in addition to its payload. */
export interface JobContext {
  job_id: string;
  attempt: number;
  /** True on the last attempt. */
  last: boolean;
  /** True if the job was scheduled for later, or is a retry. */
  planned: boolean;
  log: Log;
}

export interface TaskOptions<Payload> {
  /**
   * The number of attempts after which a job is abandoned with an alert. The pause between attempts
   * grows from seconds to hours: 6 attempts take four minutes, and 12 take a day. Scheduled tasks
   * need few attempts.
   */
  attempts: number;
  /**
   * A cron expression with five fields, in UTC. The worker queues a job of this task at each time
   * that matches.
   */
  every?: string;
  /**
   * The fields of the payload that form a job's key, together with the task's name. A new job
   * replaces a waiting job with the same key, so that only one of the two runs.
   */
  keyBy?: readonly (keyof Payload & string)[];
  /** The name of the job's queue. The jobs of one queue run one after the other. */
  queue?: (payload: Payload) => string;
  /** A job with a lower number runs first; 0 by default. */
  priority?: number;
}

/**
 * A task with the function that runs its jobs, and the function that is called for an abandoned
 * job.
 */
export interface TaskHandler<Context> {
  readonly name: string;
  readonly attempts: number;
  readonly every: string | null;
  /** Throws if the payload does not have the format that the task expects. */
  readonly run: (context: Context, payload: unknown, job: JobContext) => Promise<void>;
  /**
   * Called when the job will not run again. It changes the state that users see, so that they do
   * not wait for the job.
   */
  readonly abandon: (work: Work, payload: unknown) => Promise<void>;
}

/** A background task: its name, its payload and how its jobs are queued. */
export interface Task<Payload extends object> extends TaskOptions<Payload> {
  readonly name: string;
  /**
   * The handler that runs the task's jobs. A job may run more than once, so `run` must make sure
   * that its effect happens only once.
   */
  runs<Context>(
    run: (context: Context, payload: Payload, job: JobContext) => Promise<void>,
    options?: { abandon?: (work: Work, payload: Payload) => Promise<void> },
  ): TaskHandler<Context>;
}
/** The type of the payload that `addJob` accepts and that the task's function receives. */
export type PayloadOf<T> = T extends Task<infer Payload> ? Payload : never;

type Keyed<Payload extends object> = Pick<Task<Payload>, 'name' | 'keyBy'>;

/** Returns the key of a task's jobs whose payload has these fields. */
export const keyOf = <Payload extends object>(
  { name, keyBy = [] }: Keyed<Payload>,
  payload: Partial<NoInfer<Payload>>,
): string => [name, ...keyBy.map((field) => String(payload[field]))].join(':');

/** Returns SQL for the same key as `keyOf`, from the columns that contain the fields. */
export const sqlKeyOf = <Payload extends object>(
  { name, keyBy = [] }: Keyed<Payload>,
  columns: { readonly [Field in keyof NoInfer<Payload>]?: RawBuilder<unknown> },
): RawBuilder<string> =>
  keyBy.reduce(
    (key, field) => sql<string>`${key} || ':' || ${columns[field]}`,
    sql<string>`${sql.lit(name)}`,
  );

/** The schema for the payload of a scheduled task, which has no fields. */
export const noPayload = z.object({});

/**
 * The number of attempts of a task that is never abandoned. Without the outcome of its call, the
 * money of an order would stay held.
 */
export const endless = 32_000;

/**
 * Defines a task. Code that queues its jobs imports this value; a feature or domain folder lists
 * its handler (`runs`). The two therefore never import each other. A payload field that jobs of an
 * earlier version do not have must be optional.
 */
export const task = <Schema extends z.ZodMiniObject>(
  name: string,
  schema: Schema,
  options: TaskOptions<z.output<Schema>>,
): Task<z.output<Schema>> => ({
  ...options,
  name,
  runs: (run, { abandon } = {}) => ({
    name,
    attempts: options.attempts,
    every: options.every ?? null,
    run: async (context, payload, job) => run(context, schema.parse(payload), job),
    abandon: async (work, payload) => {
      // If the payload is invalid, `abandon` cannot be called with it. The alert about the job
      // shows the problem.
      const parsed = schema.safeParse(payload);
      if (parsed.success) await abandon?.(work, parsed.data);
    },
  }),
});
