/**
 * `npm run verify -- carrier NAME [--at URL --account FILE]`: checks an adapter against the
 * promises of the port `Carrier`. The adapter calls the simulator, or a carrier at another URL.
 * Exit 1 if a promise is broken.
 */
import { parseArgs } from 'node:util';
import { offeredProviders } from '@waystation/contract/network/provider.ts';
import { stopLabels } from '@waystation/server/testing/carrier-kit.ts';
import { openKit } from './kit.ts';
import { promises, sumOf, tableOf, tryPromise } from './promises.ts';
import type { Row } from './promises.ts';
import { isOffered, openSubject } from './subjects.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { at: { type: 'string' }, account: { type: 'string' } },
});
const [name = ''] = positionals;
if (!isOffered(name) || (values.at !== undefined && !URL.canParse(values.at))) {
  console.error(
    `Say: npm run verify -- carrier ${offeredProviders.join('|')} [--at URL [--account FILE]]`,
  );
  process.exit(1);
}
const { subject, stop } = await openSubject(name, values.at, values.account);
const rows: Row[] = [];
const kit = await openKit(subject);
try {
  for (const promise of promises) rows.push(await tryPromise(kit, promise));
} finally {
  await kit.close();
  await stop();
  await stopLabels();
}
console.log(tableOf(rows));
console.log(`\n${name} at ${subject.at}: ${sumOf(rows)}`);
process.exit(rows.some(({ verdict }) => verdict === 'broken') ? 1 : 0);
