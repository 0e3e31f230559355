import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '..', '..');
const domainFolders = readdirSync(join(root, 'server/src/domain'));
let folder;

beforeAll(() => {
  // A house of its own: the configuration's paths count from where it lies.
  folder = mkdtempSync(join(tmpdir(), 'waystation-planted-'));
  copyFileSync(join(root, 'oxlint.config.mjs'), join(folder, 'oxlint.config.mjs'));
  copyFileSync(join(root, 'oxlint-too-long.json'), join(folder, 'oxlint-too-long.json'));
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  for (const name of domainFolders)
    mkdirSync(join(folder, 'server/src/domain', name), { recursive: true });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Writes files into a house of their own and answers with what the linter says of them. */
const lint = (files, shown = ({ message, help, code }) => `${code} ${message} ${help ?? ''}`) => {
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
    { cwd: folder, encoding: 'utf8' },
  );
  for (const path of Object.keys(files)) rmSync(join(folder, path));
  return JSON.parse(stdout).diagnostics.map(shown).join('\n');
};

const long = (lines) =>
  Array.from({ length: lines }, (_, at) => `export const a${at} = ${at};`).join('\n');
const five = 'export const x = (a: 1, b: 1, c: 1, d: 1, e: 1) => [a, b, c, d, e];\n';
const longFunction = (lines) =>
  `export const f = (a: number) => {\n${Array.from({ length: lines }, (_, at) => `  a += ${at};`).join('\n')}\n  return a;\n};\n`;

describe('the house rules are caught when broken', () => {
  it.each([
    [
      'web imports server source',
      {
        'web/src/base/x.ts': `import { a } from '@waystation/server/src/app.ts';\nexport const b = a;\n`,
      },
      'Nobody imports server source',
    ],
    [
      'the simulator imports server source',
      {
        'carrier-sim/src/x.ts': `import { a } from '@waystation/server/src/app.ts';\nexport const b = a;\n`,
      },
      'Nobody imports server source',
    ],
    [
      'a journey imports server source',
      {
        'e2e/src/x.ts': `import { a } from '@waystation/server/src/app.ts';\nexport const b = a;\n`,
      },
      'Nobody imports server source',
    ],
    [
      'a benchmark imports server source',
      {
        'bench/src/x.ts': `import { a } from '@waystation/server/src/app.ts';\nexport const b = a;\n`,
      },
      'Nobody imports server source',
    ],
    [
      'a journey imports what the server exports for verify',
      {
        'e2e/src/x.ts': `import { a } from '@waystation/server/testing/test-system.ts';\nexport const b = a;\n`,
      },
      'Nobody imports server source',
    ],
    [
      'verify imports server source beside its testing exports',
      {
        'verify/src/x.ts': `import { a } from '@waystation/server/src/app.ts';\nexport const b = a;\n`,
      },
      'verify reaches the server through @waystation/server/testing/ only',
    ],
    [
      'web imports antd',
      { 'web/src/ui/x.ts': `import { a } from 'antd';\nexport const b = a;\n` },
      'One component system',
    ],
    [
      'a page imports Base UI',
      { 'web/src/pages/x.ts': `import { a } from '@base-ui/react/menu';\nexport const b = a;\n` },
      'Base UI belongs to ui',
    ],
    [
      'server imports web',
      {
        'server/src/features/parcels/x.ts': `import { a } from '@waystation/web/src/app.ts';\nexport const b = a;\n`,
      },
      'Only web imports web',
    ],
    [
      'an endpoint file of the contract imports its schemas',
      {
        'contract/src/x.schema.ts': `export const schemas = {};\n`,
        'contract/src/x.ts': `import { schemas } from './x.schema.ts';\nexport const b = schemas;\n`,
      },
      'x.ts holds what the browser loads',
    ],
    [
      'a schema spells a limit as a number',
      {
        'contract/src/x.schema.ts': `import { text } from './fields.schema.ts';\nexport const name = text(1, 50);\n`,
      },
      'No magic number: 50',
    ],
    [
      'an endpoint file of the contract exports its schemas',
      {
        'contract/src/x.schema.ts': `export const schemas = {};\n`,
        'contract/src/x.ts': `export { schemas } from './x.schema.ts';\n`,
      },
      'x.ts holds what the browser loads',
    ],
    [
      'an endpoint file of the contract makes a schema',
      { 'contract/src/x.ts': `import * as z from 'zod/mini';\nexport const b = z.int();\n` },
      'x.ts holds what the browser loads',
    ],
    [
      'web imports a schema',
      {
        'web/src/base/x.ts': `import { calls } from '@waystation/contract/parcels/cargo.schema.ts';\nexport const b = calls;\n`,
      },
      'web takes endpoints and types from x.ts',
    ],
    [
      'a page imports the schema library',
      { 'web/src/pages/x.ts': `import * as z from 'zod/mini';\nexport const b = z.int();\n` },
      'web takes endpoints and types from x.ts',
    ],
    [
      'contract imports something else',
      { 'contract/src/x.ts': `import { a } from 'kysely';\nexport const b = a;\n` },
      'contract imports zod/mini and itself',
    ],
    [
      'platform imports domain',
      {
        'server/src/platform/x.ts': `import { a } from '#domain/ledger/ledger.ts';\nexport const b = a;\n`,
      },
      'platform knows nothing of parcels',
    ],
    [
      'platform imports features',
      {
        'server/src/platform/x.ts': `import { a } from '#features/people/login.ts';\nexport const b = a;\n`,
      },
      'Features are the edge',
    ],
    [
      'domain imports features',
      {
        'server/src/domain/ledger/x.ts': `import { a } from '#features/people/login.ts';\nexport const b = a;\n`,
      },
      'Features are the edge',
    ],
    [
      'a feature folder imports another',
      {
        'server/src/features/parcels/x.ts': `import { a } from '#features/stations/stations.ts';\nexport const b = a;\n`,
      },
      'never import each other',
    ],
    [
      'a feature folder imports a type of another',
      {
        'server/src/features/parcels/x.ts': `import type { A } from '#features/user-jobs/exports.ts';\nexport type B = A;\n`,
      },
      'never import each other',
    ],
    [
      'a feature enters a domain folder by a private file',
      {
        'server/src/features/parcels/x.ts': `import { a } from '#domain/express/row.ts';\nexport const b = a;\n`,
      },
      'entered by its public file',
    ],
    [
      'a feature enters the parcel domain by a private file whose name begins like a public one',
      {
        'server/src/features/parcels/x.ts': `import { a } from '#domain/express/express-row.ts';\nexport const b = a;\n`,
      },
      'entered by its public file',
    ],
    [
      'another part of the domain enters offers by a private file',
      {
        'server/src/domain/express/x.ts': `import { a } from '#domain/offers/terms.ts';\nexport const b = a;\n`,
      },
      'entered by its public file',
    ],
    [
      'pricing does input or output',
      {
        'server/src/domain/pricing/x.ts': `import { readFileSync } from 'node:fs';\nexport const b = readFileSync;\n`,
      },
      'This code is pure',
    ],
    [
      'the state asks the clock',
      {
        'server/src/domain/express/state.ts': `import { systemClock } from '#platform/clock.ts';\nexport const b = systemClock;\n`,
      },
      'This code is pure',
    ],
    [
      'a feature uses PostgreSQL itself',
      {
        'server/src/features/parcels/x.ts': `import { Kysely } from 'kysely';\nexport const b = Kysely;\n`,
      },
      'PostgreSQL belongs to platform/db',
    ],
    [
      'a feature uses the HTTP framework',
      {
        'server/src/features/parcels/x.ts': `import fastify from 'fastify';\nexport const b = fastify;\n`,
      },
      'The HTTP framework belongs to platform/http',
    ],
    [
      'the domain makes a pool of threads itself',
      {
        'server/src/domain/documents/x.ts': `import { Piscina } from 'piscina';\nexport const b = Piscina;\n`,
      },
      'Pools of threads belong to platform/workers',
    ],
    [
      'a feature uses the Excel library',
      {
        'server/src/features/parcels/x.ts': `import { read } from 'hucre';\nexport const b = read;\n`,
      },
      'The Excel library belongs to domain/workbook',
    ],
    [
      'process.env is read outside config',
      { 'server/src/features/parcels/x.ts': `export const b = process.env['A'];\n` },
      'process.env',
    ],
    [
      'two files import each other',
      {
        'server/src/domain/ledger/x.ts': `import { b } from './y.ts';\nexport const a = () => b;\n`,
        'server/src/domain/ledger/y.ts': `import { a } from './x.ts';\nexport const b = () => a;\n`,
      },
      'no-cycle',
    ],
    [
      'types make a cycle',
      {
        'server/src/domain/ledger/x.ts': `import type { B } from './y.ts';\nexport type A = B | 1;\n`,
        'server/src/domain/ledger/y.ts': `import type { A } from './x.ts';\nexport type B = A | 2;\n`,
      },
      'no-cycle',
    ],
    [
      'a default export',
      { 'server/src/features/parcels/x.ts': `export default 1;\n` },
      'no-default-export',
    ],
    [
      'a parent import',
      {
        'server/src/features/parcels/x.ts': `import { a } from '../routes.ts';\nexport const b = a;\n`,
      },
      'No ../ in imports',
    ],
    [
      'ui knows an endpoint',
      {
        'web/src/ui/x.ts': `import { login } from '@waystation/contract/people/session.ts';\nexport const b = login;\n`,
      },
      'ui knows no endpoint',
    ],
    [
      'a page imports a page',
      {
        'web/src/pages/x.ts': `import { Page } from '#pages/store.tsx';\nexport const b = Page;\n`,
      },
      'Pages never import pages',
    ],
    [
      'a page reads the address bar',
      {
        'web/src/pages/x.ts': `import { currentHref } from '#shell/tabs/location.ts';\nexport const b = currentHref;\n`,
      },
      'the address bar holds',
    ],
    ['a file of 401 lines', { 'server/src/features/parcels/x.ts': `${long(401)}\n` }, 'max-lines'],
    [
      'a function of 71 lines',
      { 'server/src/features/parcels/x.ts': longFunction(72) },
      'max-lines-per-function',
    ],
    ['a fifth parameter', { 'server/src/domain/x.ts': five }, 'max-params'],
    [
      'a name in camelCase',
      { 'server/src/features/someThing.ts': 'export const a = 1;\n' },
      'filename-case',
    ],
    [
      'a file named helpers',
      { 'server/src/features/parcels/helpers.ts': 'export const a = 1;\n' },
      'filename-case',
    ],
  ])('a broken house rule is reported: %s', (_, files, sentence) => {
    expect(lint(files)).toContain(sentence);
  });

  it('an import of a higher layer is reported for each layer of the web', () => {
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

  it('a private file of any domain folder, imported by a feature, is reported', () => {
    const file = (name) => [
      `server/src/features/parcels/${name}.ts`,
      `import type { A } from '#domain/${name}/private.ts';\nexport type B = A;\n`,
    ];
    const output = lint(Object.fromEntries(domainFolders.map(file)), ({ filename }) => filename);
    for (const name of domainFolders) expect(output).toContain(`features/parcels/${name}.ts`);
  });

  it('a table of any length is accepted', () => {
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
