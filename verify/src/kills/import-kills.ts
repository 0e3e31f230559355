import type { Import } from '@waystation/contract/imports/import.ts';
import { openImports } from '@waystation/server/testing/import-sheets.ts';
import type { TestImports } from '@waystation/server/testing/import-sheets.ts';
import { carrierOrders, inconsistencies } from '@waystation/server/testing/consistency.ts';
import { limitMs } from '@waystation/server/testing/limits.ts';
import { sql } from '@waystation/server/testing/product.ts';
import { openTestSystem, rowsOf } from '@waystation/server/testing/test-system.ts';
import type { TestSystem } from '@waystation/server/testing/test-system.ts';
import { startWorkerProcess } from '@waystation/server/testing/worker-process.ts';
import { chanceOf } from '#chance.ts';
import type { Chance } from '#chance.ts';
import { blame, count, emptyStretch } from './record.ts';
import type { Stretch } from './record.ts';
import { openJobs } from './rest.ts';
import { isRight } from './verdict.ts';
import type { Verdict } from './verdict.ts';
import { pause } from './worker-kills.ts';
import type { KillOptions } from './worker-kills.ts';

interface Sheet {
  /** The third-party numbers of the valid rows, in the order of the file. */
  numbers: string[];
  rows: number;
}

/**
 * A clerk who uploads one sheet after another, and the imports that this clerk has confirmed so
 * far.
 */
interface Clerk {
  imports: TestImports;
  chance: Chance;
  /** The expected final state of each import. */
  sheets: Map<number, Sheet>;
  /** The status of the running import. */
  status: string;
  isOver: boolean;
}

const patienceMs = limitMs(60_000);

/**
 * Makes a sheet of 40 to 140 rows. About one row in twenty has an impossible phone number. Such a
 * row is never ordered.
 */
const draw = ({ imports, chance, sheets }: Clerk): Sheet & { file: File } => {
  const wrong = new Set<number>();
  const rows = Array.from({ length: chance.between(40, 140) }, (_, at) => {
    const number = `S${sheets.size + 1}-${at + 1}`;
    if (chance.below(20) > 0) return imports.line({ 订单号: number });
    wrong.add(at);
    return imports.line({ 订单号: number, 手机: '1' });
  });
  const numbers = rows.flatMap((cells, at) => (wrong.has(at) ? [] : [cells.at(-1)!]));
  return { numbers, rows: rows.length, file: imports.sheet(...rows) };
};

/**
 * Does the next act of a person for an import in its present state. A new worker must continue the
 * work that a killed worker left unfinished.
 */
const step = async (
  { imports, chance }: Clerk,
  found: Import,
  asked: Set<string>,
): Promise<void> => {
  const { id, status, version, quote, reason } = found;
  const once = (what: string): boolean => !asked.has(what) && asked.add(what).size > 0;
  if (status === 'ready' && quote !== null) await imports.confirm(found);
  else if (status === 'ready' && (once('quote') || reason !== null))
    await imports.call('POST', `/${id}/quote`, { version });
  else if (status === 'ordering' && once('pause') && chance.below(3) === 0)
    await imports.call('POST', `/${id}/pause`, {});
  else if (status === 'paused') await imports.call('POST', `/${id}/resume`, {});
};

const ends: readonly string[] = ['done', 'failed', 'cancelled'];

/**
 * Continues with an import until it has ended. If the worker was killed twice while it read the
 * file, the import has failed and none of its rows is ordered.
 */
const follow = async (clerk: Clerk, id: number): Promise<void> => {
  const asked = new Set<string>();
  for (;;) {
    const found = await clerk.imports.get(id);
    clerk.status = found.status === 'ready' ? 'priced' : found.status;
    if (ends.includes(found.status)) return;
    await step(clerk, found, asked);
    await pause(25);
  }
};

/**
 * Uploads one sheet after another until this part of the run is over. Then continues with the last
 * sheet until its import has ended.
 */
const work = async (clerk: Clerk): Promise<void> => {
  while (!clerk.isOver) {
    const { file, ...sheet } = draw(clerk);
    const { id } = await clerk.imports.upload(file);
    clerk.sheets.set(id, sheet);
    await follow(clerk, id);
  }
};

const rowsOfSheets = ({ sheets }: Clerk): number =>
  [...sheets.values()].reduce((sum, { rows }) => sum + rows, 0);

interface Row {
  import_id: number;
  no: number;
  mark: string;
  number: string | null;
  parcels: number;
}

/**
 * Finds rows that break a rule at any time: if a row is ordered, its number must have one parcel;
 * otherwise its number must have no parcel.
 */
const rowsThatDiffer = async (system: TestSystem, verdict: Verdict): Promise<void> => {
  const rows = await rowsOf(
    system,
    sql<Row>`select w.import_id, w.no, w.mark, w.cells ->> 8 as number,
      (select count(*) from expresses e where e.thr_order_id = w.cells ->> 8) as parcels
      from import_rows w
      where (select count(*) from expresses e
        where e.thr_order_id = w.cells ->> 8) <> (w.mark = 'ordered')::int
        or (w.mark = 'ordered' and not exists (select 1 from expresses e
          where e.id = w.express_id and e.thr_order_id = w.cells ->> 8))
      limit 20`,
  );
  for (const { import_id, no, mark, number, parcels } of rows)
    (parcels > 1 || mark !== 'ordered' ? verdict.doubled : verdict.lost).push(
      `row ${no} of import ${import_id} (${number}) is ${mark} and has ${parcels} parcels`,
    );
};

/**
 * Finds faults in finished imports. Each row that can be ordered must be ordered once, and in the
 * order of the file. The counts of the import must equal its rows.
 */
const endedImports = async (
  { sheets, imports }: Clerk,
  system: TestSystem,
  verdict: Verdict,
): Promise<void> => {
  const done = await rowsOf(
    system,
    sql<{ id: number; counts: Import['counts'] }>`select id,
    counts from imports where status = 'done'`,
  );
  for (const { id, counts } of done) {
    const { numbers, rows } = sheets.get(id)!;
    const found = await rowsOf(
      system,
      sql<{ n: string }>`select e.thr_order_id as n from import_rows w
        join expresses e on e.id = w.express_id where w.import_id = ${id} order by e.id`,
    );
    if (found.map(({ n }) => n).join() !== numbers.join())
      verdict.lost.push(
        `import ${id} has ${found.length} parcels, not ${numbers.length} in its order`,
      );
    const recounted = await imports.recounted(id);
    for (const [mark, n] of Object.entries(counts))
      if (n !== (recounted[mark] ?? 0))
        verdict.broken.push(`import ${id} counts ${n} ${mark}, not ${recounted[mark]}`);
    if (counts.ordered + counts.error !== rows)
      verdict.broken.push(`import ${id} of ${rows} rows counts ${JSON.stringify(counts)}`);
  }
};

const judge = async (clerk: Clerk, system: TestSystem): Promise<Verdict> => {
  const verdict: Verdict = { lost: [], doubled: [], broken: [] };
  await rowsThatDiffer(system, verdict);
  await endedImports(clerk, system, verdict);
  return verdict;
};

/**
 * Checks the final state: the carrier has exactly our parcels, and all money, states and counts
 * agree.
 */
const judgeAll = async (clerk: Clerk, system: TestSystem): Promise<Verdict> => {
  for (const since = Date.now(); (await openJobs(system)) > 0 && Date.now() - since < patienceMs;)
    await pause(100);
  const verdict = await judge(clerk, system);
  verdict.broken.push(...(await inconsistencies(system)));
  const ours = await rowsOf(
    system,
    sql<{ n: number }>`select count(*) as n from expresses
    where delivery_id is not null`,
  );
  const [has, knows] = [ours[0]!.n, (await carrierOrders(system)).length];
  if (has !== knows)
    verdict.broken.push(`the carrier has ${knows} orders, we have ${has} waybills`);
  return verdict;
};

/** Describes the open jobs of an import that has not ended in time. */
const jobsLeft = async (system: TestSystem): Promise<string[]> =>
  (
    await rowsOf(
      system,
      sql<{
        job: string;
      }>`select format('%s, attempt %s of %s, %s, at %s: %s', task_identifier, attempts,
        max_attempts, coalesce(locked_by, 'free'), run_at, last_error) as job
        from graphile_worker.jobs order by id limit 10`,
    )
  ).map(({ job }) => job);

const orderedRows = async (system: TestSystem): Promise<number> =>
  (
    await rowsOf(
      system,
      sql<{ n: number }>`select count(*) as n from import_rows
    where mark = 'ordered'`,
    )
  )[0]!.n;

/**
 * Kills the worker repeatedly while a clerk's imports are read, checked, priced and ordered. Checks
 * every row after each kill.
 */
export const killImports = async ({
  seed,
  part,
  kills,
  deadAfterMs,
  log = () => {},
}: KillOptions): Promise<Stretch> => {
  const chance = chanceOf(`import ${seed} ${part}`);
  const system = await openTestSystem({
    config: { carrier: { timeoutMs: 3_000, pollSeconds: 1_800 } },
  });
  const result = emptyStretch('import', { seed, part, deadAfterMs });
  await system.worker.stop();
  const start = () =>
    startWorkerProcess(system, { WAYSTATION_WORKER_DEAD_AFTER_MS: String(deadAfterMs) });
  let worker = await start();
  try {
    await system.topUp('nanshan', 100_000_000);
    const clerk: Clerk = {
      imports: await openImports(system),
      chance,
      sheets: new Map(),
      status: 'reading',
      isOver: false,
    };
    const working = work(clerk).then(
      () => null,
      (error: unknown) => String(error),
    );
    for (let kill = 0; kill < kills; kill++) {
      // One kill in four comes so early that almost no work was done since the previous kill.
      await pause(chance.below(chance.below(4) === 0 ? 500 : 4_000));
      const where = `while an import is ${clerk.status}`;
      const since = performance.now();
      await worker.kill();
      worker = await start();
      const verdict = await judge(clerk, system);
      const ordered = await orderedRows(system);
      count(result, where, {
        parcels: ordered,
        acknowledged: rowsOfSheets(clerk),
        took: Math.round(performance.now() - since),
      });
      log(
        `kill ${kill + 1}: ${where}, ${ordered} rows ordered${isRight(verdict) ? '' : `: ${JSON.stringify(verdict)}`}`,
      );
      if (isRight(verdict)) continue;
      blame(result, verdict);
      break;
    }
    clerk.isOver = true;
    const problem = await Promise.race([
      working,
      pause(patienceMs).then(() => `an import stays ${clerk.status}`),
    ]);
    const left = problem === null ? [] : await jobsLeft(system);
    const verdict = await judgeAll(clerk, system);
    // The count includes rows that were ordered after the last kill. Otherwise it could be zero on
    // a busy machine, because there the first kills come before any order.
    Object.assign(result, {
      parcels: await orderedRows(system),
      acknowledged: rowsOfSheets(clerk),
    });
    if (problem !== null) verdict.broken.push(problem, ...left);
    if (!isRight(verdict)) {
      log(JSON.stringify(verdict));
      blame(result, verdict);
    }
    return result;
  } finally {
    await worker.kill();
    await system.close();
  }
};
