import type { Clock } from '#platform/clock.ts';
import { jsonText, oneRow, sql } from '#platform/db/db.ts';
import type { Db } from '#platform/db/db.ts';
import { systemScope } from '#platform/db/scope.ts';
import { addJob } from '#platform/jobs/jobs.ts';
import { noPayload, task } from '#platform/jobs/task.ts';
import type { JobContext, TaskHandler } from '#platform/jobs/task.ts';
import { writeHeads } from './heads.ts';
import { proveAllTask, queueDueProof } from './proof-hour.ts';
import { walkProgress } from './proof-walk.ts';
import { prove, walkLedger } from './proof.ts';
import type { Proof, ProofContext } from './proof.ts';

const scope = systemScope('ledger proof');

type TaskContext = ProofContext & { clock: Clock };

/** Task: links the transfers that belong to no station into the platform's hash chain. */
const linkPlatform = ({ db }: TaskContext): Promise<void> =>
  db.tx(
    systemScope('ledger platform chain'),
    async (work) => void (await sql`select ledger_link_platform()`.execute(work.tx)),
  );

const reportBreaks = ({ ok, breaks }: Proof, log: JobContext['log']): void => {
  if (!ok) log.error({ breaks: breaks.slice(0, 20) }, 'the ledger does not prove');
};

const proveNew = async (app: TaskContext, _: object, { log }: JobContext): Promise<void> =>
  reportBreaks(await prove(app, { full: false, at: app.clock.now() }), log);

/**
 * Seconds for which one job of the full check reads; a stopping worker waits no longer than this.
 */
const jobSeconds = 20;

/** Task: continues the full check for a while, and queues itself again until everything is read. */
const proveAll = async (app: TaskContext, _: object, { log }: JobContext): Promise<void> => {
  const until = performance.now() + jobSeconds * 1_000;
  const proof = await walkLedger(app, {
    at: app.clock.now(),
    onProgress: () => performance.now() < until,
  });
  if (proof) reportBreaks(proof, log);
  else await continueWalk(app.db);
};

/** Task: checks the entries that are new since the last proof. */
const proveNewTask = task('ledger_proof_new', noPayload, {
  attempts: 4,
  keyBy: [],
  priority: 10,
});

/**
 * Milliseconds between the start of a worker and its first proof, so that requests are served
 * first.
 */
const pause = 20_000;

/** Queues the next pieces of the full check. */
export const continueWalk = (db: Db, runAt?: Date): Promise<void> =>
  db.tx(scope, (work) => addJob(work, proveAllTask, {}, { priority: 10, ...(runAt && { runAt }) }));

/**
 * Queues the incremental proof, and the rest of an interrupted full check, after the start of a
 * worker. They are queued only once, even if many workers start.
 */
export const proveSoon = async (db: Db, now: Date): Promise<void> => {
  const runAt = new Date(now.getTime() + pause);
  await db.tx(scope, (work) => addJob(work, proveNewTask, {}, { runAt }));
  if (await db.tx(scope, walkProgress)) await continueWalk(db, runAt);
};

/** Raises an alert; only one such alert is open at a time. */
const alert = (db: Db, code: string, params: Record<string, string | number>): Promise<unknown> =>
  db.tx(scope, (work) =>
    sql`insert into alerts (code, params, key)
      values (${code}, ${jsonText(params)}::jsonb, ${code})
      on conflict (key) do update set closed_at = null, at = now(),
        params = excluded.params`.execute(work.tx),
  );

/**
 * Task: writes the heads (newest links) of all chains outside the database. Raises an alert if a
 * written head is invalid, or if the file is not the expected file.
 */
const writeDueHeads = async (
  { db, clock, config }: TaskContext,
  _: object,
  { log }: JobContext,
): Promise<void> => {
  if (config.headsFile === null) return;
  const { astray, state } = await writeHeads(db, config.headsFile, clock.now()).catch(
    async (error: NodeJS.ErrnoException) => {
      if (error.syscall === undefined) throw error;
      log.error({ err: error }, 'the heads of the ledger could not be written');
      await alert(db, 'heads_not_written', { reason: error.code ?? error.message });
      return { astray: [], state: 'ok' as const };
    },
  );
  if (state !== 'ok') await alert(db, 'heads_file_differs', { state });
  if (astray.length === 0) return;
  log.error(
    { astray: astray.slice(0, 20) },
    'chains of the ledger do not go through the heads that were written',
  );
  await alert(db, 'heads_astray', { count: astray.length });
};

/**
 * The number of links after the last written head of a chain at which the heads are written
 * immediately.
 */
export const mostUnwritten = 200;

/**
 * Task: writes the heads of the hash chains before their usual time if a chain has grown by many
 * links. Only few links can then be rewritten unnoticed.
 */
const writeMovedHeads: typeof writeDueHeads = async (context, payload, job) => {
  if (context.config.headsFile === null) return;
  const { distance } = await context.db.tx(scope, (work) =>
    oneRow(work, sql<{ distance: number }>`select ledger_head_distance() as distance`),
  );
  if (distance >= mostUnwritten) await writeDueHeads(context, payload, job);
};

export const ledgerTasks: readonly TaskHandler<TaskContext>[] = [
  task('ledger_platform_chain', noPayload, { attempts: 8, every: '5 16 * * *' }).runs(linkPlatform),
  task('ledger_heads', noPayload, { attempts: 4, every: '*/15 * * * *' }).runs(writeDueHeads),
  task('ledger_heads_moved', noPayload, { attempts: 3, every: '* * * * *' }).runs(writeMovedHeads),
  task('queue_due_proof', noPayload, { attempts: 3, every: '* * * * *' }).runs(queueDueProof),
  proveAllTask.runs(proveAll),
  proveNewTask.runs(proveNew),
];
