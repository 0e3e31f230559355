/** A program that is run with Node 26, and its arguments. `folder` is relative to `verify/`. */
interface Check {
  name: string;
  folder: string;
  words: string[];
}

/**
 * The test files that run longer if `WAYSTATION_TEST_DAILY` is set (server/src/testing/slices.ts).
 */
export const slicedTests = [
  'src/commands/demo.test.ts',
  'src/commands/rehearse.test.ts',
  'src/commands/restore-at.test.ts',
  'src/domain/express/crash.test.ts',
  'src/domain/ledger/ledger.property.test.ts',
  'src/domain/ledger/tamper.test.ts',
  'src/domain/pricing/pricing.property.test.ts',
  'src/domain/reconciliation/matching-crash.test.ts',
  'src/every-answer.test.ts',
  'src/features/imports/imports.test.ts',
  'src/features/inbox/inbox-kinds.test.ts',
  'src/features/money/station-statements.test.ts',
  'src/features/user-jobs/jobs.test.ts',
  'src/fuzz.test.ts',
  'src/matrix.test.ts',
  'src/platform/db/apply-sql.test.ts',
  'src/platform/embedded/accounts.test.ts',
  'src/platform/embedded/embedded.test.ts',
  'src/row-security-off.test.ts',
  'src/scope-layer-off.test.ts',
  '../verify/src/carrier-faults/carrier-faults.test.ts',
  '../verify/src/corpus/corpus.test.ts',
  '../verify/src/damage/damage.test.ts',
  '../verify/src/histories/histories.test.ts',
  '../verify/src/kills/kills.test.ts',
  '../verify/src/tampering/tampering.test.ts',
];

const command = (name: string, folder: string, ...words: string[]): Check => ({
  name,
  folder: '.',
  words: [`src/${folder}/run.ts`, ...words],
});

/** Returns the checks of the daily run. They take some hours on a machine without other work. */
export const checksOf = (seed: number): Check[] => [
  {
    name: 'the tests of which npm test runs a slice',
    folder: '../server',
    words: ['../node_modules/vitest/vitest.mjs', 'run', '--testTimeout=7200000', ...slicedTests],
  },
  {
    name: 'a copy of the checkout with what the pages docs/add-a-….md add',
    folder: '..',
    words: ['node_modules/vitest/vitest.mjs', 'run', 'tools/house/listings.test.mjs'],
  },
  {
    name: 'all journeys, of which npm test runs some',
    folder: '../e2e',
    words: ['../node_modules/vitest/vitest.mjs', 'run'],
  },
  ...['worker', 'database', 'import'].map((what) =>
    command(`kills of the ${what}`, 'kills', what, '--kills', '50', '--seed', String(seed)),
  ),
  command(
    'kills of API, worker and receiver of webhooks',
    'kills',
    'webhook',
    '--kills',
    '25',
    '--events',
    '20000',
    '--seed',
    String(seed),
  ),
  command('a healthy webhook beside bad endpoints', 'endpoints'),
  command('random histories', 'histories', '--seeds', '500', '--seed', String(seed * 1_000)),
  command('tampering', 'tampering', '--changes', '300', '--seed', String(seed)),
  command('attacks', 'attacks'),
  command('a hostile carrier', 'hostile-carrier'),
  ...['jdl', 'sf'].flatMap((name) => [
    command(`the promises of ${name}`, 'conformance', name),
    command(`the drift of ${name}`, 'drift', name),
    command(
      `histories under faults of ${name}`,
      'carrier-faults',
      name,
      '--seeds',
      '500',
      '--seed',
      String(seed * 1_000),
    ),
  ]),
  command('defects planted under faults', 'carrier-faults', 'planted', '--seed', String(seed)),
  command('pasted blocks', 'blocks', '--blocks', '1000', '--seed', String(seed)),
  command('damaged sheets', 'damage', '--mutants', '2000', '--seed', String(seed)),
  command('the pace of imports', 'pace', '--rows', '600', '--processes', '2', '--kills', '2'),
];
