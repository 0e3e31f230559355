/**
 * `npm run verify -- drift NAME [--at URL --account FILE] [--record]`: makes all calls of an
 * adapter to its carrier and compares the answers with the adapter's `golden/shapes.json`. Lists
 * the fields that are new, missing or of another type. Exit 1 if there is such a field. `--record`
 * writes that file.
 */
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { offeredProviders } from '@waystation/contract/network/provider.ts';
import { openKit } from '#conformance/kit.ts';
import { isOffered, openSubject } from '#conformance/subjects.ts';
import { driftsOf, probe, shapesOf } from './probe.ts';
import type { Answer } from './probe.ts';
import { readShapes, shapesFile } from './shapes-file.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { at: { type: 'string' }, account: { type: 'string' }, record: { type: 'boolean' } },
});
const [name = ''] = positionals;
if (!isOffered(name) || (values.at !== undefined && !URL.canParse(values.at))) {
  console.error(
    `Say: npm run verify -- drift ${offeredProviders.join('|')} [--at URL --account FILE] [--record]`,
  );
  process.exit(1);
}

const simulatedDays = 30;
const { subject, stop } = await openSubject(name, values.at, values.account);
const kit = await openKit(subject);
const answers: Answer[] = [];
try {
  const parcels: Parameters<typeof probe>[1] = [];
  for (let day = 0; day < (kit.switches ? simulatedDays : 1); day += 1) {
    answers.push(...(await probe(kit, parcels, day)));
    await kit.switches?.nextDay();
  }
} finally {
  await kit.close();
  await stop();
}
if (!answers.some(({ key }) => key.startsWith('create accepted'))) {
  console.error(`${subject.at} accepted no order, so that nothing can be compared.`);
  process.exit(1);
}
if (values.record) {
  writeFileSync(shapesFile(name), `${JSON.stringify(shapesOf(answers))}\n`);
  console.log(`${answers.length} answers of ${subject.at} recorded in ${shapesFile(name)}`);
  process.exit(0);
}
const shapes = readShapes(name);
const drifts = driftsOf(shapes, answers);
for (const { kind, key, path, now } of drifts)
  console.log([kind.padEnd(8), key, path, now].join('  '));
const unknown = new Set(answers.map(({ key }) => key).filter((key) => shapes[key] === undefined));
console.log(
  `${name} at ${subject.at}: ${answers.length} answers, ${drifts.length} drifts${unknown.size > 0 ? `; not recorded: ${[...unknown].join(', ')}` : ''}`,
);
process.exit(drifts.length > 0 ? 1 : 0);
