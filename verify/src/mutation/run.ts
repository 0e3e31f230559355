/**
 * `npm run mutate` (docs/testing.md): changes the code of pricing or of the ledger in one place at
 * a time, and checks if the tests fail.
 */
import { appendFileSync, existsSync, mkdirSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { dropTemplate, templateDatabase } from '@waystation/server/testing/cluster.ts';
import { chanceOf } from '#chance.ts';
import { openOwnCluster } from '@waystation/server/testing/own-cluster.ts';
import { equivalents } from './equivalents.ts';
import { mutated, nameOf, placed } from './mutants.ts';
import type { Change, Mutant } from './mutants.ts';
import { openSandbox } from './sandbox.ts';
import type { Sandbox } from './sandbox.ts';
import { sqlChanges } from './sql-mutants.ts';
import { typescriptChanges } from './typescript-mutants.ts';

const server = join(import.meta.dirname, '..', '..', '..', 'server');
const codeOf = (folder: string): string[] =>
  readdirSync(join(server, folder))
    .filter((name) => name.endsWith('.ts') && !/\.(test|bench)\.ts$/.test(name))
    .map((name) => `${folder}/${name}`);

interface Subject {
  files: string[];
  /**
   * The tests in the order in which they run. Tests that are fast and find the most mutants run
   * first.
   */
  tests: readonly (readonly string[])[];
  limitMs: number;
}

const pricing = 'src/domain/pricing/pricing';
const ledger = 'src/domain/ledger';
/** The files in server/sql that post transactions or check the ledger. */
const ledgerSql = [
  'ledger-hashes',
  'ledger-access',
  'ledger-movements',
  'ledger-requests',
  'ledger-posting',
  'ledger-proof',
  'ledger-prove',
];
const subjects: Readonly<Record<string, () => Subject>> = {
  pricing: () => ({
    files: codeOf('src/domain/pricing'),
    tests: [[`${pricing}.golden.test.ts`, `${pricing}.test.ts`], [`${pricing}.property.test.ts`]],
    limitMs: 120_000,
  }),
  ledger: () => ({
    files: [...ledgerSql.map((name) => `sql/${name}.sql`), ...codeOf(ledger)],
    tests: [
      [`${ledger}/ledger.golden.test.ts`, `${ledger}/ledger.test.ts`],
      [`${ledger}/guards.test.ts`, `${ledger}/forgery.test.ts`, `${ledger}/tamper.test.ts`],
      [`${ledger}/ledger.property.test.ts`],
      // These tests use a database owner who is not a superuser, or read the ledger. The other
      // parts are tested together with the features.
      [`${ledger}/plain-owner.test.ts`, `${ledger}/periods.test.ts`],
      [
        'src/features/money/statements.test.ts',
        'src/features/money/movements.test.ts',
        'src/features/workplace/boards.test.ts',
        'src/features/money/station-statements.test.ts',
      ],
    ],
    limitMs: 240_000,
  }),
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    sample: { type: 'string' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string', default: '' },
    skip: { type: 'string', default: '0' },
    again: { type: 'boolean', default: false },
  },
});
const subject = subjects[positionals[0] ?? '']?.();
if (!subject) {
  console.error(
    'Say: npm run mutate -- pricing|ledger [--only part-of-a-path] [--sample 100 [--skip 100] --seed 1] [--again]',
  );
  process.exit(1);
}

/** Matches whole functions. Code outside functions is not changed, because other tests check it. */
const definition = /^create or replace function [\s\S]*?\$\$;$/gm;
const sqlOf = (source: string): Change[] => {
  const made = [...source.matchAll(definition)];
  return sqlChanges(source).filter(({ start }) =>
    made.some(({ index, 0: text }) => index <= start && start < index + text.length),
  );
};

const sources = new Map(
  subject.files
    .filter((file) => file.includes(values.only))
    .map((file) => [file, readFileSync(join(server, file), 'utf8')]),
);
const everything = [...sources].flatMap(([file, source]) =>
  placed(file, source, file.endsWith('.sql') ? sqlOf(source) : typescriptChanges(source)),
);

/** Returns the requested number of mutants. The seed determines the random choice. */
const drawn = (all: readonly Mutant[]): Mutant[] => {
  if (values.sample === undefined) return [...all];
  const chance = chanceOf(`mutants ${values.seed}`);
  const left = [...all];
  const order = Array.from(
    { length: left.length },
    () => left.splice(chance.below(left.length), 1)[0]!,
  );
  return order.slice(Number(values.skip), Number(values.skip) + Number(values.sample));
};

const results = { killed: 0, survived: 0, equivalent: 0, invalid: 0 };
type Fate = keyof typeof results;

const fateOf = async (sandbox: Sandbox, mutant: Mutant): Promise<Fate> => {
  const source = sources.get(mutant.file)!;
  if (equivalents.has(nameOf(source, mutant))) return 'equivalent';
  sandbox.write(mutant.file, mutated(source, mutant));
  const template = mutant.file.endsWith('.sql') ? sandbox.server : null;
  try {
    // Some mutants cannot run, because PostgreSQL refuses them.
    if (
      template &&
      !(await templateDatabase(template).then(
        () => true,
        () => false,
      ))
    )
      return 'invalid';
    for (const tests of subject.tests)
      if (!(await sandbox.passes(tests, subject.limitMs))) return 'killed';
    return 'survived';
  } finally {
    if (template) await dropTemplate(template);
    sandbox.write(mutant.file, source);
  }
};

const log = join(server, '..', '.build', `mutation-${positionals[0]}.jsonl`);
const queue = values.again ? survivors(everything) : drawn(everything);
const total = queue.length;
const work = async (number: number): Promise<void> => {
  const sandbox = openSandbox(number);
  try {
    for (let mutant = queue.shift(); mutant; mutant = queue.shift()) {
      const name = nameOf(sources.get(mutant.file)!, mutant);
      const fate = await fateOf(sandbox, mutant);
      results[fate]++;
      appendFileSync(log, `${JSON.stringify({ fate, line: mutant.line, name })}\n`);
      if (fate === 'survived') console.log(`survived, line ${mutant.line} of ${name}`);
    }
  } finally {
    sandbox.remove();
  }
};

console.log(`${total} of ${everything.length} mutants.`);
mkdirSync(join(server, '..', '.build'), { recursive: true });
const cluster =
  positionals[0] === 'ledger' ? await openOwnCluster('mutation', { fsync: 'off' }) : null;
// Without a database no cluster is needed, but the tests still require this variable.
if (!cluster) process.env['WAYSTATION_TEST_CLUSTER'] = '{}';
try {
  if (!(await openSandboxAndTry())) throw new Error('The tests fail before anything is changed.');
  await Promise.all([work(1), work(2)]);
} finally {
  await cluster?.stop();
}
const { killed, survived, equivalent, invalid } = results;
console.log(
  `${killed} of ${killed + survived} killed (${((100 * killed) / Math.max(1, killed + survived)).toFixed(1)} %); ${equivalent} equivalent, ${invalid} refused by PostgreSQL.`,
);
process.exit(survived > 0 ? 1 : 0);

/** Returns the mutants with which all tests passed when the mutants were last tried. */
function survivors(all: readonly Mutant[]): Mutant[] {
  const lines = existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n') : [];
  const fates = new Map(
    lines
      .map((line) => JSON.parse(line) as { name: string; fate: Fate })
      .map(({ name, fate }) => [name, fate]),
  );
  return all.filter(
    (mutant) => fates.get(nameOf(sources.get(mutant.file)!, mutant)) === 'survived',
  );
}

/** Runs all tests on unchanged code. Returns true if all of them pass. */
async function openSandboxAndTry(): Promise<boolean> {
  const sandbox = openSandbox(0);
  try {
    for (const tests of subject!.tests)
      if (!(await sandbox.passes(tests, subject!.limitMs))) return false;
    return true;
  } finally {
    sandbox.remove();
  }
}
