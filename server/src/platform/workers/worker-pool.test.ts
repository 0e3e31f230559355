import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { createWorkerPool } from './worker-pool.ts';
import type { WorkerPool, WorkerPoolSettings } from './worker-pool.ts';

const folder = mkdtempSync(join(tmpdir(), 'worker-pool-'));
const programs = new Map<string, URL>();
/**
 * Writes a module for a thread whose `run` executes `body`. In `body`, `answer` contains the number
 * of tasks that this thread has started.
 */
const program = (body: string, before = ''): URL => {
  const known = programs.get(before + body);
  if (known) return known;
  const file = join(folder, `${programs.size}.mjs`);
  writeFileSync(
    file,
    `${before}\nlet tasks = 0;\nexport const run = async (task) => {\n  const answer = { value: ++tasks };\n  ${body}\n};\n`,
  );
  programs.set(before + body, pathToFileURL(file));
  return pathToFileURL(file);
};

type Pool = WorkerPool<unknown, number>;
const opened: Pool[] = [];
const poolOf = (changes: Partial<WorkerPoolSettings> & { program: URL }): Pool => {
  const pool: Pool = createWorkerPool({
    interrupted: 'labels_interrupted',
    heapMb: 64,
    tasksAtOnce: 10,
    waiting: 10,
    idleMs: 60_000,
    timeoutMs: 60_000,
    ...changes,
  });
  opened.push(pool);
  return pool;
};
const interrupted = { code: 'labels_interrupted', status: 503, details: { retryAfter: 1 } };

afterEach(async () => {
  for (const pool of opened.splice(0)) await pool.stop();
});
afterAll(() => rmSync(folder, { recursive: true }));

describe('the thread of a worker pool', () => {
  it('the thread of a worker pool starts with the first task, and also runs later tasks', async () => {
    const pool = poolOf({ program: program('return answer;') });
    expect(pool.isRunning()).toBe(false);
    expect(await pool.run('')).toBe(1);
    expect(await pool.run('')).toBe(2);
    expect(pool.isRunning()).toBe(true);
  });

  it('the thread of a worker pool stops after its idle time, and a later task starts a new thread', async () => {
    const pool = poolOf({ program: program('return answer;'), idleMs: 50 });
    await pool.run('');
    await expect.poll(() => pool.isRunning()).toBe(false);
    expect(await pool.run('')).toBe(1);
  });

  it.each([
    [
      'throws outside a task',
      `if (task === 'bad') { setImmediate(() => { throw new Error('broken'); }); await new Promise(() => {}); } return answer;`,
    ],
    ['exits', `if (task === 'bad') process.exit(3); return answer;`],
    [
      'runs out of memory',
      `if (task === 'bad') { const all = []; for (;;) all.push(Array.from({ length: 1e6 }, () => ({}))); } return answer;`,
    ],
  ])(
    'if the thread of a worker pool %s, its task is interrupted and the next task runs in a new thread',
    async (_, body) => {
      const pool = poolOf({ program: program(body), heapMb: 24 });
      await expect(pool.run('bad')).rejects.toMatchObject(interrupted);
      expect(await pool.run('')).toBe(1);
    },
  );

  it.each([
    ['throws', `throw new Error('no fonts');`],
    ['exits', 'process.exit(3);'],
  ])(
    'if the thread of a worker pool %s before it is ready, all its tasks are interrupted',
    async (_, before) => {
      const pool = poolOf({ program: program('return answer;', before) });
      await expect(Promise.allSettled([pool.run(''), pool.run('')])).resolves.toMatchObject([
        { reason: interrupted },
        { reason: interrupted },
      ]);
      await expect(pool.run('')).rejects.toMatchObject(interrupted);
    },
  );

  it('a task that hangs ends the thread of its worker pool, so that the pool’s other tasks fail; the next task runs in a new thread', async () => {
    const pool = poolOf({
      program: program(`if (task === 'bad') for (;;); return answer;`),
      timeoutMs: 400,
    });
    const calls = await Promise.allSettled([pool.run('bad'), pool.run('')]);
    expect(calls.map((call) => call.status)).toEqual(['rejected', 'rejected']);
    expect(await pool.run('')).toBe(1);
  });

  it('stopping a worker pool interrupts its running tasks', async () => {
    const pool = poolOf({ program: program('await new Promise(() => {});') });
    const call = expect(pool.run('')).rejects.toMatchObject(interrupted);
    await pool.stop();
    await call;
    expect(pool.isRunning()).toBe(false);
  });

  it('the thread of a worker pool does not keep the process running, and has no environment variables', () => {
    const code = `
      const { createWorkerPool } = await import(${JSON.stringify(new URL('./worker-pool.ts', import.meta.url).href)});
      const pool = createWorkerPool({ program: new URL(${JSON.stringify(program('return { value: JSON.stringify(process.env) };').href)}), interrupted: 'labels_interrupted',
        heapMb: 64, tasksAtOnce: 1, waiting: 1, idleMs: 60_000, timeoutMs: 60_000 });
      console.log(await pool.run(''));`;
    const run = spawnSync(process.execPath, ['--input-type=module', '-e', code], {
      encoding: 'utf8',
      // This limit is much shorter than the 60 seconds after which an idle thread ends.
      timeout: 30_000,
      cwd: import.meta.dirname,
      env: { ...process.env, NODE_COMPILE_CACHE: undefined, CANARY: 'secret' },
    });
    expect([run.status, run.stdout.trim()]).toEqual([0, '{}']);
  });
});

describe('a task of a worker pool', () => {
  it('up to tasksAtOnce tasks of a worker pool run simultaneously', async () => {
    const meeting = `if (task === 'first') await new Promise((go) => { globalThis.go = go; }); else globalThis.go(); return answer;`;
    const pool = poolOf({ program: program(meeting), tasksAtOnce: 2 });
    expect(await Promise.all([pool.run('first'), pool.run('')])).toEqual([1, 2]);
  });

  it('while tasksAtOnce tasks of a worker pool are running, a further task waits in a queue', async () => {
    const alone = `const at = (globalThis.running = (globalThis.running ?? 0) + 1); await new Promise(setImmediate); globalThis.running -= 1; return { value: at };`;
    const pool = poolOf({ program: program(alone), tasksAtOnce: 1 });
    expect(await Promise.all([pool.run(''), pool.run(''), pool.run('')])).toEqual([1, 1, 1]);
  });

  it('a task of a worker pool is refused while the queue is full, and accepted again when the queue has room', async () => {
    const pool = poolOf({ program: program('return answer;'), tasksAtOnce: 1, waiting: 1 });
    const calls = await Promise.allSettled([pool.run(''), pool.run(''), pool.run('')]);
    expect(calls).toMatchObject([{ value: 1 }, { value: 2 }, { reason: interrupted }]);
    expect(await pool.run('')).toBe(3);
  });

  it('if a task ends the thread of its worker pool, the next waiting task runs in a new thread', async () => {
    const pool = poolOf({
      program: program(`if (task === 'bad') process.exit(3); return answer;`),
      tasksAtOnce: 1,
    });
    expect(await Promise.allSettled([pool.run('bad'), pool.run('')])).toMatchObject([
      { reason: interrupted },
      { value: 1 },
    ]);
  });

  it('a failed task of a worker pool rejects with the Failure that it returned or with the text of its error, and the thread continues', async () => {
    const body = `if (task === 'refused') return { failure: { code: 'labels_too_many', params: { pages: 6, max: 5 } } }; if (task === 'bad') return { detail: 'out of ink' }; return answer;`;
    const pool = poolOf({ program: program(body) });
    await expect(pool.run('refused')).rejects.toMatchObject({
      code: 'labels_too_many',
      params: { pages: 6, max: 5 },
    });
    await expect(pool.run('bad')).rejects.toThrow('out of ink');
    expect(await pool.run('')).toBe(3);
  });

  it('a task with an argument that cannot be copied into the worker thread is refused, and the thread continues', async () => {
    const pool = poolOf({ program: program('return answer;') });
    expect(await pool.run('')).toBe(1);
    await expect(pool.run(() => 1)).rejects.toThrow(/clone/i);
    expect(await pool.run('')).toBe(2);
  });
});
