/**
 * `npm run damage -- --mutants 10000 --seed 1`: starts a product and uploads damaged files of the
 * corpus, and files that demand many resources. It measures time, memory and the effect on other
 * users. It exits with 1 if a promise was broken. With `--mutants 0` it uploads only the files that
 * demand many resources.
 */
import { appendFileSync, mkdirSync, readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { setup } from '@waystation/server/testing/global-setup.ts';
import { openTestSystem } from '@waystation/server/testing/test-system.ts';
import { startWorkerProcess } from '@waystation/server/testing/worker-process.ts';
import { chanceOf } from '#chance.ts';
import { corpusFolder, readManifest } from '#corpus/manifest.ts';
import { bombs } from './bombs.ts';
import { mutantOf } from './mutants.ts';
import {
  faultOf,
  inMb,
  memoryOf,
  mostGrowth,
  openDoor,
  playFile,
  watchMemory,
  watchOthers,
} from './play.ts';
import type { Damaged, Others } from './play.ts';

const { values } = parseArgs({
  options: {
    mutants: { type: 'string', default: '10000' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string' },
  },
});
const mutants = Number(values.mutants);
/** The number of simultaneous uploads. The product reads only one file at a time. */
const lanes = 3;

const stop = await setup();
const system = await openTestSystem();
// A separate process reads the files. Its memory therefore does not include the memory for making
// and sending them.
await system.worker.stop();
const worker = await startWorkerProcess(system);
const faults: string[] = [];
const codes = new Map<string, number>();
const count = (code: string): void => void codes.set(code, (codes.get(code) ?? 0) + 1);
const othersLine = (
  what: string,
  { count: asked, median, p99, longest, refused }: Others,
): string =>
  `${what}: ${asked} requests of others, median ${median.toFixed(1)} ms, 99 % within ${p99.toFixed(0)} ms, longest ${longest.toFixed(0)} ms, ${refused} not answered`;

const judgeOthers = (what: string, others: Others): void => {
  console.log(othersLine(what, others));
  if (others.refused > 0 || others.longest > 5_000) faults.push(othersLine(what, others));
};
let start = 0;
const judgeMemory = (what: string, most: number): void => {
  const growth = most - start;
  console.log(`${what}: at most ${inMb(growth)} more`);
  if (growth > mostGrowth) faults.push(`${what}: ${inMb(growth)} more`);
};

try {
  const door = await openDoor(system);
  const files = (await readManifest()).map(({ file }) => ({
    name: file,
    bytes: readFileSync(new URL(file, corpusFolder)),
  }));
  // Uploads the first files before the measurement, so that all code is already loaded when it
  // begins.
  for (const { name, bytes } of files.slice(0, 20))
    await playFile(door, { name, upload: name, bytes });
  const usual = [
    '收件人,手机,地址,物品,重量',
    ...Array.from(
      { length: 5_000 },
      (_, n) => `示例,138${10_000_000 + n},上海市浦东新区示例路 ${n} 号,文件,1.5`,
    ),
  ].join('\n');
  await playFile(door, { name: 'usual', upload: 'usual.csv', bytes: Buffer.from(usual) });
  start = memoryOf(worker.pid);
  console.log(`the worker has ${inMb(start)}`);
  const quiet = await watchOthers(system);
  await new Promise((later) => setTimeout(later, 5_000));
  console.log(othersLine('quiet', await quiet.stop()));

  for (const bomb of bombs.filter(
    ({ name }) => values.only === undefined || name.includes(values.only),
  )) {
    const bytes = bomb.make();
    const [memory, others] = [watchMemory(worker.pid), await watchOthers(system)];
    const ended = await playFile(door, { ...bomb, bytes });
    const most = memory.stop();
    const fault =
      faultOf(ended) ?? (bomb.ends.includes(ended.code) ? null : `ended as ${ended.code}`);
    if (fault !== null) faults.push(`${bomb.name}: ${fault}`);
    console.log(
      `${fault === null ? 'held' : 'FELL'} · ${bomb.name} · ${ended.code} · ${(ended.ms / 1_000).toFixed(1)} s, ${(ended.still / 1_000).toFixed(1)} s without a row · ${bytes.length} bytes`,
    );
    judgeMemory('  memory', most);
    judgeOthers('  others', await others.stop());
  }

  const chance = chanceOf(`damage ${values.seed}`);
  const [memory, others] = [watchMemory(worker.pid), await watchOthers(system)];
  let begun = 0;
  let longest = 0;
  const next = (): Damaged & { how: string } => {
    const [file, other] = [chance.pick(files), chance.pick(files)];
    const { bytes, how } = mutantOf(file.bytes, other.bytes, chance);
    return { name: `mutant ${begun} of ${file.name}`, upload: file.name, bytes, how };
  };
  const lane = async (): Promise<void> => {
    while (begun < mutants) {
      begun++;
      const file = next();
      let ended = await playFile(door, file);
      // A file that was slow during other uploads is tried again without other uploads.
      if (faultOf(ended) !== null && ended.code === 'read') ended = await playFile(door, file);
      count(ended.code);
      longest = Math.max(longest, ended.still);
      const fault = faultOf(ended);
      if (fault !== null) {
        faults.push(`${file.name} (${file.how}): ${fault}`);
        console.log(faults.at(-1));
        mkdirSync('../.build', { recursive: true });
        appendFileSync(
          '../.build/damage.jsonl',
          `${JSON.stringify({ ...file, bytes: file.bytes.toString('base64'), fault })}\n`,
        );
      }
      if (begun % 500 === 0)
        console.log(
          `${begun} mutants, longest ${(longest / 1_000).toFixed(1)} s, ${inMb(memoryOf(worker.pid))}`,
        );
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  console.log(
    `${mutants} mutants, seed ${values.seed}, longest ${(longest / 1_000).toFixed(1)} s: ${[...codes].map((pair) => pair.join(' ')).join(', ')}`,
  );
  judgeMemory('memory', memory.stop());
  judgeOthers('others', await others.stop());
} finally {
  await worker.stop();
  await system.close();
  await stop?.();
}
console.log(
  faults.length === 0 ? 'all held' : `${faults.length} did not hold:\n${faults.join('\n')}`,
);
process.exit(faults.length === 0 ? 0 : 1);
