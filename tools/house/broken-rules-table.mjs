// Files each of which breaks one of the repository's rules (lint.test.mjs).

const long = (lines) =>
  Array.from({ length: lines }, (_, at) => `export const a${at} = ${at};`).join('\n');
const five = 'export const x = (a: 1, b: 1, c: 1, d: 1, e: 1) => [a, b, c, d, e];\n';
const longFunction = (lines) =>
  `export const f = (a: number) => {\n${Array.from({ length: lines }, (_, at) => `  a += ${at};`).join('\n')}\n  return a;\n};\n`;

/** For each rule of the repository: files that break it, and a part of the linter's message. */
export const brokenRules = [
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
];
