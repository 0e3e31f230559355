import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import { createLabelRenderer } from './renderer.ts';
import type { LabelRenderer } from './renderer.ts';
import { sampleLabel } from './sample.ts';

const folder = mkdtempSync(join(tmpdir(), 'labels-'));
const programs = new Map<string, URL>();
/** A thread's program that does with a job what `body` says: `answer()` answers it emptily. */
const program = (body: string): URL => {
  const known = programs.get(body);
  if (known) return known;
  const file = join(folder, `${programs.size}.mjs`);
  writeFileSync(
    file,
    `import { parentPort } from 'node:worker_threads';
let jobs = 0;
parentPort.on('message', ({ id, labels }) => {
  jobs += 1;
  const first = labels[0].order_id;
  const answer = () => parentPort.postMessage({ id, sheet: { pdf: null, pages: jobs, failures: [], warnings: [] } });
  ${body}
});`,
  );
  programs.set(body, pathToFileURL(file));
  return programs.get(body)!;
};

const opened: LabelRenderer[] = [];
const rendererOf = (settings: Parameters<typeof createLabelRenderer>[0]): LabelRenderer => {
  const renderer = createLabelRenderer(settings);
  opened.push(renderer);
  return renderer;
};
const ask = (renderer: LabelRenderer, order_id = 'good') => renderer.render([{ ...sampleLabel, order_id }], '76x130');

afterEach(async () => {
  for (const renderer of opened.splice(0)) await renderer.stop();
});
afterAll(() => rmSync(folder, { recursive: true }));

describe('the drawing thread', () => {
  it('starts with the first call and serves later ones', async () => {
    const renderer = rendererOf({ program: program('answer();') });
    expect(renderer.running()).toBe(false);
    expect((await ask(renderer)).pages).toBe(1);
    expect((await ask(renderer)).pages).toBe(2);
    expect(renderer.running()).toBe(true);
  });

  it('stops after its rest, and a later call starts another', async () => {
    const renderer = rendererOf({ program: program('answer();'), idle: 50 });
    await ask(renderer);
    await expect.poll(() => renderer.running(), { timeout: 5000 }).toBe(false);
    expect((await ask(renderer)).pages).toBe(1);
  });

  it('does not stop while it is asked again and again', async () => {
    const renderer = rendererOf({ program: program('answer();'), idle: 400 });
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    for (let call = 1; call <= 6; call += 1) {
      expect((await ask(renderer)).pages).toBe(call);
      vi.advanceTimersByTime(300);
    }
    vi.useRealTimers();
  });

  it.each([
    ['throws', `if (first === 'bad') throw new Error('broken'); answer();`],
    ['exits', `if (first === 'bad') process.exit(3); answer();`],
    ['runs out of memory', `if (first === 'bad') { const all = []; for (;;) all.push(Array.from({ length: 1e6 }, () => ({}))); } answer();`],
  ])('that %s fails the calls it had, and the next call is served', async (_, body) => {
    const renderer = rendererOf({ program: program(body), heap: 24 });
    await expect(ask(renderer, 'bad')).rejects.toMatchObject({ code: 'labels_interrupted', details: { retryAfter: 1 } });
    expect((await ask(renderer)).pages).toBe(1);
  });

  it('that hangs is given up after a while, with everything it had', async () => {
    const renderer = rendererOf({ program: program(`if (first === 'bad') for (;;); answer();`), patience: 400 });
    const calls = await Promise.allSettled([ask(renderer, 'bad'), ask(renderer)]);
    expect(calls.map((call) => call.status)).toEqual(['rejected', 'rejected']);
    expect((await ask(renderer)).pages).toBe(1);
  });

  it('that is stopped fails the calls under way', async () => {
    const renderer = rendererOf({ program: program('') });
    const call = expect(ask(renderer)).rejects.toMatchObject({ code: 'labels_interrupted' });
    await renderer.stop();
    await call;
    expect(renderer.running()).toBe(false);
  });

  it('passes an unexpected error on to the call alone', async () => {
    const renderer = rendererOf({ program: program(`if (first === 'bad') parentPort.postMessage({ id, detail: 'out of ink' }); else answer();`) });
    await expect(ask(renderer, 'bad')).rejects.toThrow('out of ink');
    expect((await ask(renderer)).pages).toBe(2);
  });

  it('refuses what cannot be handed over, and goes on', async () => {
    const renderer = rendererOf({ program: program('answer();') });
    await expect(renderer.render([{ ...sampleLabel, print_data: () => 1 }], '76x130')).rejects.toThrow(/clone/i);
    expect((await ask(renderer)).pages).toBe(1);
  });

  it('keeps no process alive, and sees none of its environment', () => {
    const code = `
      const { createLabelRenderer } = await import(${JSON.stringify(new URL('./renderer.ts', import.meta.url).href)});
      const renderer = createLabelRenderer({ program: new URL(${JSON.stringify(program('parentPort.postMessage({ id, detail: JSON.stringify(process.env) });').href)}) });
      await renderer.render([{ order_id: '' }], '76x130').catch((error) => console.log(error.message));`;
    const started = performance.now();
    const run = spawnSync(process.execPath, ['--input-type=module', '-e', code], {
      encoding: 'utf8',
      timeout: 30_000,
      cwd: import.meta.dirname,
      env: { ...process.env, CANARY: 'secret' },
    });
    expect([run.status, run.stdout.trim()]).toEqual([0, '{}']);
    expect(performance.now() - started).toBeLessThan(25_000);
  });
});
