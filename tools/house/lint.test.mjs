import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { brokenRules } from './broken-rules-table.mjs';

const root = join(import.meta.dirname, '..', '..');
const domainFolders = readdirSync(join(root, 'server/src/domain'));
let folder;

beforeAll(() => {
  // Uses a separate folder that also has the linter's configuration, because the paths in that
  // configuration are relative to its folder.
  folder = mkdtempSync(join(tmpdir(), 'waystation-planted-'));
  copyFileSync(join(root, 'oxlint.config.mjs'), join(folder, 'oxlint.config.mjs'));
  copyFileSync(join(root, 'oxlint-too-long.json'), join(folder, 'oxlint-too-long.json'));
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  for (const name of domainFolders)
    mkdirSync(join(folder, 'server/src/domain', name), { recursive: true });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Writes files into the folder, runs the linter on them once, and returns its diagnostics. */
const diagnose = (files) => {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  const { stdout } = spawnSync(
    process.execPath,
    [
      join(root, 'node_modules/oxlint/bin/oxlint'),
      '-c',
      'oxlint.config.mjs',
      '-f',
      'json',
      ...Object.keys(files),
    ],
    { cwd: folder, encoding: 'utf8', maxBuffer: 1 << 26 },
  );
  for (const path of Object.keys(files)) rmSync(join(folder, path));
  return JSON.parse(stdout).diagnostics;
};
const textOf = ({ message, help, code }) => `${code} ${message} ${help ?? ''}`;
const lint = (files, shown = textOf) => diagnose(files).map(shown).join('\n');

/**
 * The files of test case number `at`. Their names contain the number, so that the files of all
 * cases can be linted in one folder in one run.
 */
const numbered = (files, at) =>
  Object.fromEntries(
    Object.entries(files).map(([path, text]) => [
      path.replace(/\b([xy])(?=(?:\.schema)?\.ts$)/, `$1-${at}`),
      text.replaceAll(/'\.\/([xy])(?=(?:\.schema)?\.ts')/g, `'./$1-${at}`),
    ]),
  );

describe('the house rules are caught when broken', () => {
  const cases = brokenRules.map(([name, files, sentence], at) => ({
    name,
    files: numbered(files, at),
    sentence,
  }));
  let diagnostics;
  beforeAll(() => {
    const all = cases.flatMap(({ files }) => Object.entries(files));
    // If two cases had a file of the same name, only one of these files would be checked.
    expect(new Set(all.map(([path]) => path)).size).toBe(all.length);
    diagnostics = diagnose(Object.fromEntries(all));
  });

  it.each(cases)(
    'the linter reports a broken rule of this repository: $name',
    ({ files, sentence }) => {
      const own = diagnostics.filter(({ filename }) => filename in files);
      expect(own.map(textOf).join('\n')).toContain(sentence);
    },
  );

  it('the linter reports an import from a higher layer in every layer of the web', () => {
    const upward = {
      locales: 'base',
      base: 'ui',
      ui: 'shell',
      shell: 'pages',
      resource: 'money',
      printing: 'parcels',
      money: 'printing',
      parcels: 'pages',
      pages: 'start',
      login: 'ui',
      mocks: 'base',
    };
    const file = ([room, other]) => [
      `web/src/${room}/x.ts`,
      `import type { A } from '#${other}/a.ts';\nexport type B = A;\n`,
    ];
    const output = lint(Object.fromEntries(Object.entries(upward).map(file)));
    for (const room of Object.keys(upward)) expect(output).toContain(`web/src/${room} imports `);
  });

  it('the linter reports a feature that imports a private file of a domain folder', () => {
    const file = (name) => [
      `server/src/features/parcels/${name}.ts`,
      `import type { A } from '#domain/${name}/private.ts';\nexport type B = A;\n`,
    ];
    const output = lint(Object.fromEntries(domainFolders.map(file)), ({ filename }) => filename);
    for (const name of domainFolders) expect(output).toContain(`features/parcels/${name}.ts`);
  });

  it('the list of files and functions that may be too long contains only existing files, each with a reason in a full sentence', () => {
    const { files, functions } = JSON.parse(
      readFileSync(join(root, 'oxlint-too-long.json'), 'utf8'),
    );
    for (const [path, reason] of [...Object.entries(files), ...Object.entries(functions)]) {
      expect(existsSync(join(root, path)), path).toBe(true);
      expect(reason, path).toMatch(/^[A-Z].{20,160}\.$/);
    }
    for (const path of Object.keys(files))
      expect(readFileSync(join(root, path), 'utf8').split('\n').length, path).toBeGreaterThan(401);
  });

  it('a file that contains only a table or texts may have any number of lines', () => {
    const rows = `export const rows = {\n${Array.from({ length: 401 }, (_, at) => `  a${at}: ${at},`).join('\n')}\n};\n`;
    expect(
      lint({
        'contract/src/x-table.ts': rows,
        'contract/src/x-words.ts': rows,
        'web/src/locales/zh-CN/x.ts': rows,
      }),
    ).toBe('');
  });

  it('a file that breaks no rule is accepted', () => {
    expect(
      lint({
        'server/src/features/parcels/fine.ts': `import { recordAudit } from '#platform/audit.ts';\nexport const a = recordAudit;\n`,
      }),
    ).toBe('');
    expect(
      lint({
        'contract/src/x.ts': `import type { schemas } from './x.schema.ts';\nexport const a = 1;\nexport type B = typeof schemas;\n`,
        'contract/src/x.schema.ts': `import * as z from 'zod/mini';\nimport { a } from './x.ts';\nexport const schemas = { one: z.literal(a) };\n`,
      }),
    ).toBe('');
    expect(
      lint({
        'verify/src/fine.ts': `import { openScene } from '@waystation/server/testing/test-system.ts';\nexport const a = openScene;\n`,
      }),
    ).toBe('');
  });
});
