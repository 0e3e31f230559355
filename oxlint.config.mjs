// The rules of this repository that the linter checks (docs/architecture.md).
// tools/house/lint.test.mjs breaks each rule once, to test that the linter reports it.
import { readdirSync, readFileSync } from 'node:fs';

/**
 * Files and functions that may exceed the length limits, each with the reason why it is not split.
 */
const tooLong = JSON.parse(
  readFileSync(new URL('./oxlint-too-long.json', import.meta.url), 'utf8'),
);

/**
 * The folders of the domain are read from the disk, so that the rules also apply to a new folder.
 */
const domainFolders = readdirSync(new URL('./server/src/domain', import.meta.url), {
  withFileTypes: true,
})
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

/**
 * Matches any text that does not begin with the given text. It is spelled out letter by letter,
 * because oxlint's regular expressions have no look-around.
 */
const otherThan = (text) =>
  [...text].map((letter, at) => `${text.slice(0, at)}[^${letter}]`).join('|');
const notNamed = (name) => otherThan(`${name}.`);
/**
 * `domain/express` has a second public file, `express-reads.ts`, with functions that read parcels.
 */
const notReads = `express($|[^.-]|-$|-(${otherThan('reads.')}))`;
const inside = (folders) =>
  folders
    .map((folder) =>
      folder === 'express'
        ? `express/(${otherThan('express')}|${notReads})`
        : `${folder}/(${notNamed(folder)})`,
    )
    .join('|');

/**
 * The folders of the web; each may import only the folders in its list. The linter does not see
 * `import()`, so `web/src/imports.test.ts` checks it.
 */
export const webRooms = {
  locales: [],
  base: ['locales'],
  ui: ['base', 'locales'],
  shell: ['ui', 'base', 'locales'],
  resource: ['shell', 'ui', 'base', 'locales'],
  printing: ['resource', 'shell', 'ui', 'base', 'locales'],
  money: ['resource', 'shell', 'ui', 'base', 'locales'],
  parcels: ['money', 'printing', 'resource', 'shell', 'ui', 'base', 'locales'],
  pages: ['parcels', 'money', 'printing', 'resource', 'shell', 'ui', 'base', 'locales'],
  login: ['base', 'locales'],
  mocks: [],
  start: [
    'pages',
    'login',
    'mocks',
    'parcels',
    'money',
    'printing',
    'resource',
    'shell',
    'ui',
    'base',
    'locales',
  ],
};
/** The folders of the web that a folder must not import. */
const above = (room) =>
  Object.keys(webRooms).filter((other) => other !== room && !webRooms[room].includes(other));

/** Forbidden import patterns, each with the sentence that explains why. */
const never = {
  serverSource: {
    regex: '^(@waystation/server|.*/server/src/)',
    message: 'Nobody imports server source: speak to it over HTTP, or spawn it.',
  },
  serverInside: {
    regex: `^(@waystation/server$|@waystation/server/(${otherThan('testing/')})|.*/server/src/)`,
    message: 'verify reaches the server through @waystation/server/testing/ only.',
  },
  webSource: { regex: '^(@waystation/web|.*/web/src/)', message: 'Only web imports web.' },
  simSource: {
    regex: '^(@waystation/carrier-sim|.*/carrier-sim/src/)',
    message: 'The simulator shares no code with the product: start it as a program.',
  },
  parents: { regex: '^\\.\\./', message: 'No ../ in imports: use #path from the package root.' },
  features: {
    regex: '^#features/',
    message:
      'Features are the edge: nothing below imports them, and their folders never import each other; what two share belongs into the domain.',
  },
  domain: {
    regex: '^#domain/',
    message: 'platform knows nothing of parcels: it imports neither domain nor features.',
  },
  insideDomain: {
    regex: `^#domain/(${inside(domainFolders)})`,
    message:
      'A domain folder is entered by its public file, named like the folder (express also by express-reads.ts).',
  },
  pg: { regex: '^(pg|pg-.*|kysely)$', message: 'PostgreSQL belongs to platform/db.' },
  fastify: {
    regex: '^(fastify|@fastify/.*)$',
    message: 'The HTTP framework belongs to platform/http.',
  },
  excel: {
    regex: '^(hucre|xlsx|exceljs)$',
    message: 'The Excel library belongs to domain/workbook.',
  },
  threads: { regex: '^piscina$', message: 'Pools of threads belong to platform/workers.' },
  jobs: { regex: '^graphile-worker$', message: 'The job library belongs to platform/jobs.' },
  effects: {
    regex: '^(node:|#platform/)',
    message: 'This code is pure: no input, no output, no clock.',
  },
  pages: {
    regex: '^#pages/',
    message: 'Pages never import pages: what they share is a room below them.',
  },
  antd: {
    regex: '^(antd|dayjs|@ant-design/(icons$|cssinjs)|@rc-component|rc-)',
    message: 'One component system: Base UI under ui/.',
  },
  baseUi: {
    regex: '^@base-ui/',
    message: 'Base UI belongs to ui: use its components under our look.',
  },
  endpoints: {
    regex:
      '^(@waystation/contract/(parcels/express-calls|people/session|money/statement|shell/about|people/preferences)|#base/call|#base/query)',
    message: 'ui knows no endpoint: pages pass what it shows.',
  },
  notZod: { regex: '^[^.#z]', message: 'contract imports zod/mini and itself.' },
  schemas: {
    regex: '(^zod/mini$|\\.schema\\.ts$)',
    allowTypeImports: true,
    message:
      'x.ts holds what the browser loads: schemas are in x.schema.ts, of which it takes types alone.',
  },
  schemasInWeb: {
    regex: '(^zod(/|$)|\\.schema\\.ts$)',
    message:
      'The server checks what it gets: web takes endpoints and types from x.ts, and no schema.',
  },
  zodFull: {
    regex: '^zod$',
    message: 'zod/mini: the whole of zod weighs five times as much in the browser.',
  },
};

/** A folder of the web may import only from the folders below it. */
const downwards = (room) => ({
  regex: `^#(${above(room).join('|')})/`,
  message: `web/src/${room} imports ${webRooms[room].join(', ') || 'no other room'} only: what it needs from above is handed in.`,
});

const only = (...rules) => ['error', { patterns: rules }];
const vendors = [never.pg, never.fastify, never.excel, never.jobs, never.threads];
const badNames = [
  'utils',
  'util',
  'helpers',
  'helper',
  'common',
  'misc',
  'manager',
  'service',
  'index',
];

export default {
  plugins: ['typescript', 'unicorn', 'import', 'react', 'jsx-a11y', 'node'],
  categories: { correctness: 'error', suspicious: 'error' },
  env: { builtin: true },
  ignorePatterns: [
    '**/node_modules/**',
    'web/dist/**',
    'data/**',
    '.build/**',
    '**/test-results/**',
  ],
  rules: {
    'import/no-cycle': ['error', { ignoreTypes: false }],
    'import/no-default-export': 'error',
    'import/no-unassigned-import': 'off',
    'unicorn/filename-case': ['error', { case: 'kebabCase' }],
    'max-lines': ['error', { max: 400, skipBlankLines: false, skipComments: false }],
    'max-lines-per-function': ['error', { max: 70, skipBlankLines: true, skipComments: true }],
    'max-params': ['error', { max: 4 }],
    'typescript/no-explicit-any': 'error',
    'node/no-process-env': 'error',
    'react/react-in-jsx-scope': 'off',
    'no-shadow': 'off',
    'no-underscore-dangle': 'off',
    'unicorn/require-module-specifiers': 'off',
    'no-await-in-loop': 'off',
    'unicorn/consistent-function-scoping': 'off',
    'import/no-named-as-default-member': 'off',
    'import/no-named-as-default': 'off',
    'unicorn/no-array-sort': 'error',
    'unicorn/no-thenable': 'off',
    'no-control-regex': 'off',
    'no-unmodified-loop-condition': 'off',
    // These rules are off, because they check only the source text. The browser tests check the
    // rendered pages for keyboards and screen readers with axe.
    ...Object.fromEntries(
      [
        'no-noninteractive-tabindex',
        'prefer-tag-over-role',
        'no-autofocus',
        'no-noninteractive-element-to-interactive-role',
        'role-has-required-aria-props',
        'control-has-associated-label',
        'no-noninteractive-element-interactions',
        'interactive-supports-focus',
        'click-events-have-key-events',
        'label-has-associated-control',
      ].map((rule) => [`jsx-a11y/${rule}`, 'off']),
    ),
    'react/exhaustive-effect-dependencies': 'off',
    'react/set-state-in-effect': 'off',
    'react/iframe-missing-sandbox': 'off',
    'unicorn/require-post-message-target-origin': 'off',
    'no-restricted-imports': only(
      never.serverSource,
      never.webSource,
      never.simSource,
      never.parents,
    ),
  },
  overrides: [
    {
      files: ['contract/src/**'],
      rules: {
        'no-restricted-imports': only(never.parents, never.notZod, never.schemas),
        // A file and its schema file import each other: one imports only types, the other values.
        'import/no-cycle': ['error', { ignoreTypes: true }],
      },
    },
    {
      files: ['contract/src/**/*.schema.ts'],
      rules: {
        'no-restricted-imports': only(never.zodFull, never.parents, never.notZod),
        // Each limit of a field is a named constant in contract/src/base/limits.ts, so that forms
        // and the server use the same value.
        'no-magic-numbers': ['error', { ignore: [0, 1, 2, 3, 4] }],
      },
    },
    {
      files: ['contract/src/**/*.test.ts'],
      rules: { 'no-restricted-imports': only(never.serverSource, never.webSource, never.parents) },
    },
    {
      files: ['server/src/*.ts', 'server/src/commands/**', 'server/src/testing/**'],
      rules: {
        'no-restricted-imports': only(never.webSource, never.simSource, never.parents, never.excel),
      },
    },
    {
      files: ['server/src/features/**'],
      rules: {
        'no-restricted-imports': only(
          never.webSource,
          never.simSource,
          never.parents,
          ...vendors,
          never.insideDomain,
          never.features,
        ),
      },
    },
    {
      files: ['server/src/domain/**'],
      rules: {
        'no-restricted-imports': only(
          never.webSource,
          never.simSource,
          never.parents,
          ...vendors,
          never.features,
          never.insideDomain,
        ),
      },
    },
    {
      files: ['server/src/domain/carriers/**'],
      rules: {
        'no-restricted-imports': only(
          never.webSource,
          never.simSource,
          never.parents,
          ...vendors,
          never.features,
          {
            ...never.insideDomain,
            regex: `^#domain/(${inside(domainFolders.filter((folder) => folder !== 'carriers'))})`,
          },
        ),
      },
    },
    {
      files: ['server/src/domain/documents/**'],
      rules: {
        'no-restricted-imports': only(
          never.webSource,
          never.simSource,
          never.parents,
          ...vendors,
          never.features,
          {
            ...never.insideDomain,
            regex: `^#domain/(${inside(domainFolders.filter((folder) => folder !== 'documents'))})`,
          },
        ),
      },
    },
    {
      files: ['server/src/domain/workbook/**'],
      rules: {
        'no-restricted-imports': only(
          never.webSource,
          never.simSource,
          never.parents,
          never.pg,
          never.fastify,
          never.jobs,
          never.threads,
          never.features,
          never.insideDomain,
        ),
      },
    },
    {
      files: [
        'server/src/domain/pricing/**',
        'server/src/domain/address/**',
        'server/src/domain/express/state.ts',
      ],
      rules: {
        'no-restricted-imports': only(never.effects, never.parents, ...vendors, never.features),
      },
    },
    {
      files: ['server/src/platform/**'],
      rules: {
        'no-restricted-imports': only(
          never.webSource,
          never.simSource,
          never.parents,
          never.features,
          never.domain,
          ...vendors,
        ),
      },
    },
    {
      files: ['server/src/platform/db/**'],
      rules: {
        'no-restricted-imports': only(
          never.webSource,
          never.parents,
          never.features,
          never.domain,
          never.fastify,
          never.excel,
          never.jobs,
          never.threads,
        ),
      },
    },
    {
      files: ['server/src/platform/http/**'],
      rules: {
        'no-restricted-imports': only(
          never.webSource,
          never.parents,
          never.features,
          never.domain,
          never.pg,
          never.excel,
          never.jobs,
          never.threads,
        ),
      },
    },
    {
      files: ['server/src/platform/workers/**'],
      rules: {
        'no-restricted-imports': only(
          never.webSource,
          never.parents,
          never.features,
          never.domain,
          never.pg,
          never.fastify,
          never.excel,
          never.jobs,
        ),
      },
    },
    {
      files: ['server/src/platform/jobs/**'],
      rules: {
        'no-restricted-imports': only(
          never.webSource,
          never.parents,
          never.features,
          never.domain,
          never.fastify,
          never.excel,
          never.threads,
        ),
      },
    },
    {
      files: ['server/src/**/*.test.ts', 'server/src/**/*.bench.ts'],
      rules: { 'no-restricted-imports': only(never.webSource, never.simSource, never.parents) },
    },
    {
      files: ['verify/src/**'],
      rules: {
        'no-restricted-imports': only(
          never.serverInside,
          never.webSource,
          never.simSource,
          never.parents,
        ),
      },
    },
    {
      files: ['web/src/**'],
      rules: {
        'no-restricted-imports': only(
          never.serverSource,
          never.simSource,
          never.parents,
          never.schemasInWeb,
          never.antd,
          never.baseUi,
        ),
      },
    },
    ...Object.keys(webRooms).map((room) => ({
      files: [`web/src/${room}/**`],
      rules: {
        'no-restricted-imports': only(
          never.serverSource,
          never.simSource,
          never.parents,
          never.schemasInWeb,
          never.antd,
          never.baseUi,
          downwards(room),
        ),
      },
    })),
    // The palette has its own combobox, so it may import Base UI directly.
    {
      files: ['web/src/shell/palette/palette-search.tsx'],
      rules: {
        'no-restricted-imports': only(
          never.serverSource,
          never.simSource,
          never.parents,
          never.schemasInWeb,
          never.antd,
          downwards('shell'),
        ),
      },
    },
    {
      files: ['web/src/ui/**'],
      rules: {
        'no-restricted-imports': only(
          never.serverSource,
          never.simSource,
          never.parents,
          never.schemasInWeb,
          never.antd,
          downwards('ui'),
          never.endpoints,
        ),
      },
    },
    {
      files: ['web/src/pages/**'],
      rules: {
        'no-restricted-imports': only(
          never.serverSource,
          never.simSource,
          never.parents,
          never.schemasInWeb,
          never.antd,
          never.baseUi,
          downwards('pages'),
          never.pages,
          {
            regex: '^#shell/tabs/(location|navigation)',
            message:
              "A page's tab may be hidden: the address bar holds another tab's location. Use usePageSearch.",
          },
        ),
      },
    },
    // These files may be long, because nobody reads them from top to bottom: tables of data, texts
    // and generated code.
    {
      files: [
        '**/*-table.ts',
        '**/*-words.ts',
        'contract/src/base/errors*.ts',
        'web/src/locales/*/*.ts',
        'server/src/platform/db/schema.ts',
        'client/waystation.ts',
      ],
      rules: { 'max-lines': 'off' },
    },
    {
      files: ['web/src/**/*.test.ts', 'web/src/**/*.test.tsx'],
      rules: {
        'no-restricted-imports': only(
          never.serverSource,
          never.simSource,
          never.parents,
          never.schemasInWeb,
        ),
      },
    },
    {
      files: ['**/*.tsx'],
      rules: {
        'max-lines-per-function': ['error', { max: 120, skipBlankLines: true, skipComments: true }],
      },
    },
    {
      files: ['**/*.test.ts', '**/*.test.tsx', 'tools/house/*.test.mjs', 'launch/*.test.mjs'],
      rules: { 'max-lines-per-function': 'off' },
    },
    {
      files: [
        'server/src/config.ts',
        'server/src/testing/**',
        'carrier-sim/src/config.ts',
        'launch/**',
        'tools/**',
        '*.mjs',
        'tools/**',
        '**/*.test.ts',
        '**/*.bench.ts',
        'bench/**',
        'e2e/**',
        'verify/**',
        'web/vite.config.ts',
      ],
      rules: { 'node/no-process-env': 'off' },
    },
    { files: Object.keys(tooLong.files), rules: { 'max-lines': 'off' } },
    { files: Object.keys(tooLong.functions), rules: { 'max-lines-per-function': 'off' } },
    { files: ['**/*.config.ts', '**/*.config.mjs'], rules: { 'import/no-default-export': 'off' } },
    // Each vitest.config.ts imports the time limits of all suites, which are outside its workspace.
    { files: ['*/vitest.config.ts'], rules: { 'no-restricted-imports': 'off' } },
    {
      files: badNames.map((name) => `**/${name}.{ts,tsx,mjs}`),
      rules: { 'unicorn/filename-case': ['error', { case: 'pascalCase' }] },
    },
    // The name of a file of texts is a language, or the part of the texts that the file contains.
    { files: ['web/src/locales/*/*.ts'], rules: { 'unicorn/filename-case': 'off' } },
  ],
};
