/**
 * S10: the time from `npm start` in a fresh clone until the page is shown. A second start with the
 * same data is measured too. `WAYSTATION_BENCH_BEFORE` is the path of another checkout for
 * comparison. It is started in the same run after the present one, so the packages in npm's cache
 * give it an advantage.
 */
import { spawn, spawnSync } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { freePort } from '@waystation/e2e/harness/start-product.ts';
import { atEnd, root, runBench } from './browser/program.ts';

const limits = { cold: 0.6, second: 5_000 };
const minutes = 12;
const checkoutBefore = process.env['WAYSTATION_BENCH_BEFORE'];

interface Step {
  text: string;
  ms: number;
}

const ended = (child: ChildProcess): Promise<void> =>
  new Promise((done) => (child.exitCode === null ? child.once('exit', () => done()) : done()));

/**
 * Starts the product in the clone and stops it as soon as it is ready. Returns the total
 * milliseconds and the milliseconds of each step.
 */
const startOnce = async (clone: string): Promise<{ ms: number; steps: Step[] }> => {
  const env = {
    ...process.env,
    PORT: String(await freePort()),
    WAYSTATION_SIM_PORT: String(await freePort()),
    WAYSTATION_DATA: join(clone, 'data'),
  };
  const since = performance.now();
  const child = spawn(process.execPath, ['start.mjs'], {
    cwd: clone,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  atEnd(async () => void child.kill('SIGINT'));
  const steps: Step[] = [];
  let output = '';
  const ms = await new Promise<number>((done, fail) => {
    const hear = (chunk: Buffer): void => {
      output += chunk.toString();
      for (const line of chunk.toString().split(/[\n\r]/)) {
        const text = line.replace(/ ….*| \(.*/, '').trim();
        if (text !== '' && !steps.some((step) => step.text === text))
          steps.push({ text, ms: performance.now() - since });
      }
      if (output.includes('is ready:')) done(performance.now() - since);
    };
    child.stdout.on('data', hear);
    child.stderr.on('data', hear);
    child.once('exit', () => fail(new Error(`npm start ended: ${output.slice(-500)}`)));
  });
  child.kill('SIGINT');
  await ended(child);
  return { ms, steps };
};

const measure = async (
  name: string,
  checkout: string,
): Promise<{ cold: number; second: number }> => {
  const clone = mkdtempSync(join(tmpdir(), 'waystation-start-'));
  atEnd(async () => rmSync(clone, { recursive: true, force: true }));
  const { status } = spawnSync('git', ['clone', '--quiet', '--local', checkout, clone]);
  if (status !== 0) throw new Error(`${checkout} cannot be cloned`);
  const cold = await startOnce(clone);
  const second = await startOnce(clone);
  console.log(
    `   ${name}: cold ${(cold.ms / 1000).toFixed(1)} s, second ${(second.ms / 1000).toFixed(1)} s`,
  );
  for (const step of cold.steps.filter(({ text }) =>
    /^(Install|Build|Built|Start|Bring|Filling)/.test(text),
  ))
    console.log(`      ${(step.ms / 1000).toFixed(1)} s ${step.text}`);
  return { cold: cold.ms, second: second.ms };
};

await runBench('start', minutes, async () => {
  const ours = await measure('now', root);
  const isSecondOk = ours.second <= limits.second;
  console.log(
    `S10 second start ${(ours.second / 1000).toFixed(1)} s (≤ ${limits.second / 1000}) ${isSecondOk ? 'ok' : 'MISSED'}`,
  );
  if (!checkoutBefore) return isSecondOk;
  const before = await measure('before', resolve(checkoutBefore));
  const ratio = ours.cold / before.cold;
  console.log(
    `S10 cold start vs before ${ratio.toFixed(2)} (≤ ${limits.cold.toFixed(2)}) ${ratio <= limits.cold ? 'ok' : 'MISSED'}`,
  );
  return isSecondOk && ratio <= limits.cold;
});
