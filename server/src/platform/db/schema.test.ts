import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { format } from 'oxfmt';
import type { FormatConfig } from 'oxfmt';
import pg from 'pg';
import { expect, it } from 'vitest';
import { clusterConnection, templateDatabase } from '#testing/cluster.ts';
import { rowTypesOf } from '#testing/row-types.ts';
import { editionOf, editionText } from './sql-files.ts';

const file = join(import.meta.dirname, 'schema.ts');
const style = JSON.parse(
  readFileSync(join(import.meta.dirname, '..', '..', '..', '..', '.oxfmtrc.json'), 'utf8'),
) as FormatConfig;

const generated = async (): Promise<string> => {
  const client = new pg.Client({ ...clusterConnection(), database: await templateDatabase() });
  await client.connect();
  try {
    return (await format(file, await rowTypesOf(client), style)).code;
  } finally {
    await client.end();
  }
};

// `npm run generate` runs this file with --update, which writes the edition file and the row types.
it('edition.json in server/sql matches the files there; if not, run npm run generate', async () => {
  const folder = join(import.meta.dirname, '..', '..', '..', 'sql');
  await expect(editionText(editionOf(folder))).toMatchFileSnapshot(join(folder, 'edition.json'));
});

it('the generated row types match the migrated database; if not, run npm run generate', async () => {
  await expect(await generated()).toMatchFileSnapshot(file);
});
