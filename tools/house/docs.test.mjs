import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '..', '..');
const apart = new Set([
  'node_modules',
  '.git',
  '.build',
  'data',
  'dist',
  'test-results',
  'reports',
]);

const filesBelow = (folder) =>
  readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => !apart.has(name))
    .flatMap((entry) =>
      entry.isDirectory() ? filesBelow(join(folder, entry.name)) : [join(folder, entry.name)],
    );
const files = filesBelow(root).map((file) => relative(root, file));
const read = (file) => readFileSync(join(root, file), 'utf8');

const pages = files.filter((file) => file.endsWith('.md'));
const sources = files.filter(
  (file) => /\.(?:ts|tsx|mjs|sql|css|html)$/.test(file) && file !== 'docs.test.mjs',
);
/**
 * The text of a page without its code, because brackets and pipes are ordinary characters in code.
 */
const prose = (markdown) => markdown.replace(/^```[\s\S]*?^```/gm, '').replace(/`[^`\n]*`/g, '');
const all = (text, pattern) => [...text.matchAll(pattern)];

/** The anchor of a heading, as code hosting sites derive it from the heading's text. */
const slug = (heading) =>
  heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(/\s/g, '-');
const anchors = (file) =>
  new Set(all(read(file), /^#+ (.+)$/gm).map(([, heading]) => slug(heading)));

const linksOf = (page) =>
  all(prose(read(page)), /\]\(([^)\s]+)\)/g)
    .map(([, link]) => ({ page, link }))
    .filter(({ link }) => !/^[a-z]+:/.test(link));

const isBroken = ({ page, link }) => {
  const [path, anchor] = link.split('#');
  const target = path === '' ? page : relative(root, resolve(root, dirname(page), path));
  if (!existsSync(join(root, target))) return true;
  return anchor !== undefined && !anchors(target).has(anchor);
};

describe('links between pages', () => {
  it('links between pages lead to files and headings that exist', () => {
    const links = pages.flatMap(linksOf);
    expect(links.length).toBeGreaterThan(50);
    expect(links.filter(isBroken).map(({ page, link }) => `${page} → ${link}`)).toEqual([]);
  });
});

describe('docs/architecture.md', () => {
  const map = read('docs/architecture.md').match(/```\n([\s\S]*?)```/)[1];
  it.each(['server/src/domain', 'server/src/features', 'server/src/platform', 'web/src'])(
    'the map in docs/architecture.md lists every folder in %s',
    (base) => {
      const folders = readdirSync(join(root, base), { withFileTypes: true }).filter((entry) =>
        entry.isDirectory(),
      );
      const isNamed = ({ name }) => new RegExp(`(?<![\\w/-])${name}/`).test(map);
      expect(folders.filter((folder) => !isNamed(folder)).map(({ name }) => name)).toEqual([]);
    },
  );
});

const requirements = read('docs/requirements.md');
/** The numbered lines of the page, such as `- 4.1 text [state]`. */
const lines = all(requirements, /^- (\d+\.\d\S*) (.*) \[([^\]]*)\]$/gm).map(
  ([, number, text, state]) => ({ number, text, state }),
);
const headings = all(requirements, /^#+ §(\d+(?:\.\d+)?) /gm).map(([, number]) => number);
const quoted = (text) => all(text, /`([^`]+)`/g).map(([, word]) => word);

const testPath = /^`[\w./-]+\.test\.(?:ts|tsx|mjs)`(?:, `[\w./-]+\.test\.(?:ts|tsx|mjs)`)*$/;
/** True if the text is a valid state of a line: the path of a test, or `note`. */
const isState = (state) => state === 'note' || testPath.test(state);

describe('README.md', () => {
  const readme = read('README.md');
  it('README.md contains the command that starts the product and the command that tests it', () => {
    expect(readme).toContain('npm start');
    expect(readme).toContain('npm test');
  });

  it('README.md shows exactly the pictures that `npm run pictures` takes', () => {
    const shown = all(readme, /\]\(docs\/pictures\/([\w-]+)\.png\)/g).map(([, name]) => name);
    const script = read('e2e/src/readme.pictures.ts');
    const taken = [
      ...all(script, /\bname: '([\w-]+)', of: /g),
      ...all(script, /take\(page, '([\w-]+)', /g),
    ].map(([, name]) => name);
    expect(taken.length).toBeGreaterThanOrEqual(4);
    expect(shown.toSorted()).toEqual(taken.toSorted());
    expect(readdirSync(join(root, 'docs', 'pictures')).toSorted()).toEqual(
      [...taken.map((name) => `${name}.png`), 'words.json'].toSorted(),
    );
  });
});

describe('docs/requirements.md', () => {
  it('the requirements have sections §1 to §10, and the lines of each section are numbered without gaps', () => {
    expect(headings.filter((number) => !number.includes('.'))).toEqual(
      Array.from({ length: 10 }, (_, index) => String(index + 1)),
    );
    const counts = new Map();
    for (const { number } of lines) {
      const section = number.replace(/\.\d+$/, '');
      expect(headings).toContain(section);
      const nth = (counts.get(section) ?? 0) + 1;
      counts.set(section, nth);
      expect(number).toBe(`${section}.${nth}`);
    }
  });

  it('each line of the requirements has a valid state', () => {
    expect(
      lines
        .filter(({ state }) => !isState(state))
        .map(({ number, state }) => `${number}: ${state}`),
    ).toEqual([]);
  });

  it('the requirements mention only tests that exist', () => {
    const named = [...new Set(lines.flatMap(({ state }) => quoted(state)))];
    expect(named.length).toBeGreaterThan(20);
    expect(named.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });
});

describe('what the code cites', () => {
  const known = new Set([...headings, ...lines.map(({ number }) => number)]);
  /**
   * Matches citations such as "requirements §2, §9", "requirements §2 and §6",
   * "docs/requirements.md §3", "Requirements §4".
   */
  const citations = sources.flatMap((file) =>
    all(read(file), /requirements(?:\.md)? (§[\d.]*\d(?:(?:, | and |–)§[\d.]*\d)*)/gi).flatMap(
      ([, list]) => all(list, /§([\d.]*\d)/g).map(([, number]) => ({ file, number })),
    ),
  );

  it('every section of the requirements that a file cites exists', () => {
    expect(citations.length).toBeGreaterThan(30);
    expect(
      citations
        .filter(({ number }) => !known.has(number))
        .map(({ file, number }) => `${file}: §${number}`),
    ).toEqual([]);
  });

  it('every cited section of another page exists', () => {
    const missing = [];
    for (const file of sources)
      for (const [, page, list = ''] of all(
        read(file),
        /\b(docs\/[a-z/-]+\.md)((?:(?:, | and |–| )§[\d.]*\d)*)/g,
      )) {
        if (!existsSync(join(root, page))) missing.push(`${file}: ${page}`);
        else if (page !== 'docs/requirements.md')
          for (const [, number] of all(list, /§([\d.]*\d)/g))
            if (!new RegExp(`^#+ §?${number}\\.? `, 'm').test(read(page)))
              missing.push(`${file}: ${page} §${number}`);
      }
    expect(missing).toEqual([]);
  });

  it('every cited decision exists; only a migration may cite a removed decision', () => {
    const decisions = readdirSync(join(root, 'docs', 'decisions'));
    const removed = all(read('docs/decisions/README.md'), /^\| ([\d, ]+) \|/gm).flatMap(
      ([, list]) => list.split(', ').map((number) => number.padStart(4, '0')),
    );
    const cited = sources.flatMap((file) =>
      all(read(file), /docs\/decisions\/(\d{4})/g).map(([, number]) => ({ file, number })),
    );
    expect(
      cited.filter(
        ({ file, number }) =>
          !decisions.some((name) => name.startsWith(`${number}-`)) &&
          !(file.startsWith('server/migrations/') && removed.includes(number)),
      ),
    ).toEqual([]);
  });
});

const endpointsOf = async () => {
  const modules = readdirSync(join(root, 'contract', 'src'), { recursive: true }).filter(
    (name) => name.endsWith('.ts') && !name.endsWith('.test.ts'),
  );
  const exported = await Promise.all(
    modules.map((name) => import(join(root, 'contract', 'src', name))),
  );
  const values = exported.flatMap((module) => Object.values(module));
  return values.filter(
    (value) =>
      typeof value === 'object' &&
      value !== null &&
      'method' in value &&
      'path' in value &&
      'roles' in value,
  );
};
/**
 * The lines of the requirements about screens and endpoints, which begin with a path or an HTTP
 * method.
 */
const routeLines = lines.filter(({ text }) => /^(?:`\/|GET|POST|PATCH)/.test(text));
const screens = read('contract/src/shell/screens.ts');
const screenPaths = [
  ...all(screens, /path: '(\/[^']+)'/g),
  ...all(screens, /loginPath = '([^']+)'/g),
].map(([, path]) => path);
const redirectPaths = all(screens, /redirectPath = '([^']+)'/g).map(([, path]) => `${path}:path`);
/** Routes that carriers and operators call, which are not in the route table. */
const beside = new Set([
  '/api/carriers/{provider}/push/{secret}',
  '/openapi.json',
  '/docs/waystation.ts',
  '/docs',
  '/healthz',
  '/readyz',
  '/metrics',
]);

describe('the routes that the requirements call there', () => {
  const paths = (of) =>
    of.flatMap(({ number, text }) =>
      quoted(text)
        .filter((word) => word.startsWith('/'))
        .map((path) => ({ number, path })),
    );

  it('the routes in §2 of the requirements are screens of the web', () => {
    const named = paths(routeLines.filter(({ number }) => number.startsWith('2.')));
    expect(named.filter(({ path }) => ![...screenPaths, ...redirectPaths].includes(path))).toEqual(
      [],
    );
  });

  it('the endpoints in §7 and §10.8 of the requirements are exactly the endpoints of the contract', async () => {
    const endpoints = await endpointsOf();
    const named = paths(
      routeLines.filter(({ number }) => number.startsWith('7.') || number.startsWith('10.8.')),
    );
    expect(
      named.filter(
        ({ path }) => !beside.has(path) && !endpoints.some((endpoint) => endpoint.path === path),
      ),
    ).toEqual([]);
    expect(
      endpoints.map(({ path }) => path).filter((path) => !named.some((one) => one.path === path)),
    ).toEqual([]);
  });

  it('every screen of the web is a route in §2 of the requirements', () => {
    const named = paths(routeLines.filter(({ number }) => number.startsWith('2.'))).map(
      ({ path }) => path,
    );
    expect(screenPaths.filter((path) => !named.includes(path))).toEqual([]);
  });
});

describe('the fields of §3', () => {
  const sqlText = readdirSync(join(root, 'server', 'migrations'))
    .map((name) => read(`server/migrations/${name}`))
    .join('\n');
  const columnsOf = (table) => {
    const body =
      new RegExp(`create table ${table} \\(([\\s\\S]*?)\\n\\);`).exec(sqlText)?.[1] ?? '';
    return new Set(
      all(
        body.replace(/--.*$/gm, ''),
        /(?:^|,)\s*"?([a-z][a-z0-9_]*)"? (?:text|bigint|integer|smallint|jsonb|bytea|timestamptz|statement_)/gm,
      ).map(([, name]) => name),
    );
  };
  const tableOf = ({ text }) => /table `(\w+)`/.exec(text)?.[1];
  const fieldsOf = ({ text }) => quoted(text.slice(text.indexOf(':')));
  const entities = lines.filter((line) => line.number.startsWith('3.') && tableOf(line));

  it('each field that §3 of the requirements lists for a kind of object is a column of its table', () => {
    expect(entities.length).toBe(16);
    for (const entity of entities) {
      const columns = columnsOf(tableOf(entity));
      const joined = new Set(['station_name']);
      expect(
        fieldsOf(entity).filter((name) => !columns.has(name) && !joined.has(name)),
        entity.number,
      ).toEqual([]);
    }
  });

  it('the fields that §3 of the requirements lists for the current user and for a parcel are in the API responses', async () => {
    const { currentUser } = await import(join(root, 'contract/src/people/session.schema.ts'));
    const { express } = await import(join(root, 'contract/src/parcels/express.schema.ts'));
    const shapes = { accounts: currentUser.shape, expresses: express.shape };
    for (const entity of entities.filter((one) => tableOf(one) in shapes))
      expect(
        fieldsOf(entity).filter((name) => !(name in shapes[tableOf(entity)])),
        entity.number,
      ).toEqual([]);
  });
});

describe('docs/operating.md', () => {
  const rows = new Set(
    all(read('docs/operating.md'), /^\| `([A-Z][A-Z_]+)` \|/gm).map(([, name]) => name),
  );
  const required = new Set(
    [
      'server/src/config.ts',
      'server/src/config-installations.ts',
      'server/src/config-keys.ts',
      'start.mjs',
    ]
      .flatMap((file) =>
        all(
          read(file),
          /(?<![A-Z_])((?:WAYSTATION_[A-Z_]*[A-Z])|DATABASE_URL|NODE_ENV|PORT)(?![A-Z_])/g,
        ),
      )
      .map(([, name]) => name),
  );

  it('docs/operating.md lists exactly the environment variables that the product reads', () => {
    expect([...required].filter((name) => !rows.has(name))).toEqual([]);
    expect([...rows].filter((name) => !required.has(name))).toEqual([]);
  });

  it('docs/performance.md lists every benchmark', () => {
    const named = all(read('docs/performance.md'), /^\| `([a-z-]+)` \|/gm).map(([, name]) => name);
    const there = readdirSync(join(root, 'bench', 'src'))
      .filter((name) => /^[a-z-]+\.ts$/.test(name))
      .map((name) => name.slice(0, -3));
    expect(there.filter((name) => !named.includes(name))).toEqual([]);
  });
});
