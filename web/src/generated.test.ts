import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { errors } from '@waystation/contract/base/errors.ts';
import { screens } from '@waystation/contract/shell/screens.ts';

const written = '// Written by `npm run generate`, which runs generated.test.ts with --update.\n';

it('the table of pages has the file of each screen; otherwise npm run generate has to be run', async () => {
  const lines = screens.map(
    ({ name, title }) => `  ${name}: () => import('#pages/${title}.tsx'),\n`,
  );
  await expect(
    `${written}/** The file of each screen, named like the screen's title. */\nexport const pageFiles = {\n${lines.join('')}};\n`,
  ).toMatchFileSnapshot(join(import.meta.dirname, 'start', 'page-files.ts'));
});

it.each(['zh-CN', 'en-US'])(
  'the texts of %s have each area; otherwise npm run generate has to be run',
  async (language) => {
    const folder = join(import.meta.dirname, 'locales', language);
    // The login has only its own texts; the other two files collect the areas.
    const others = ['areas', 'login', language];
    const areas = readdirSync(folder)
      .filter((file) => file.endsWith('.ts'))
      .map((file) => file.replace(/\.ts$/, ''))
      .filter((area) => !others.includes(area))
      .toSorted();
    const lines = areas.map((area) => `export { ${area} } from './${area}.ts';\n`);
    await expect(`${written}/** The texts of each area. */\n${lines.join('')}`).toMatchFileSnapshot(
      join(folder, 'areas.ts'),
    );
  },
);

it.each([
  ['zh-CN', 'zh'],
  ['en-US', 'en'],
] as const)(
  'the words of errors in %s are those of the contract; otherwise npm run generate has to be run',
  async (locale, language) => {
    const words = Object.fromEntries(
      Object.entries(errors).map(([code, entry]) => [code, entry[language]]),
    );
    await expect(`${JSON.stringify(words, null, 2)}\n`).toMatchFileSnapshot(
      join(import.meta.dirname, 'locales', locale, 'errors.json'),
    );
  },
);
