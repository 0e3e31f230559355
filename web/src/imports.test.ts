import { readFileSync, readdirSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseSync } from 'vite';
import { describe, expect, it } from 'vitest';

// Uses the linter's table of layers, so that this test and the linter check the same rules.
const { webRooms } = (await import(
  pathToFileURL(join(import.meta.dirname, '..', '..', 'oxlint.config.mjs')).href
)) as {
  webRooms: Readonly<Record<string, readonly string[]>>;
};

type Sources = ReadonlyMap<string, string>;
type Graph = ReadonlyMap<string, readonly string[]>;

/**
 * All modules that a file imports: with `import`, `import type` and `import()`, including
 * `import('…')` in a type.
 */
const requestsOf = (name: string, text: string): string[] => {
  const { module } = parseSync(name, text);
  const exported = module.staticExports.flatMap(({ entries }) =>
    entries.flatMap(({ moduleRequest }) => moduleRequest ?? []),
  );
  const dynamic = Array.from(text.matchAll(/\bimport\(\s*['"]([^'"]+)['"]/g), (match) => match[1]!);
  if (module.dynamicImports.length > dynamic.length)
    throw new Error(`${name}: an import() of something else than a string cannot be followed`);
  return [
    ...module.staticImports.map(({ moduleRequest }) => moduleRequest.value),
    ...exported.map(({ value }) => value),
    ...dynamic,
  ];
};

/** Maps each file to the files of the web that it imports. Imports of packages are left out. */
const graphOf = (sources: Sources): Graph => {
  const ofWeb = (request: string): boolean => request.startsWith('#') || request.startsWith('.');
  const resolved = (from: string, request: string): string =>
    request.startsWith('#') ? request.slice(1) : posix.join(dirname(from), request);
  return new Map(
    Array.from(sources, ([name, text]) => [
      name,
      requestsOf(name, text)
        .filter(ofWeb)
        .map((request) => resolved(name, request)),
    ]),
  );
};

/**
 * The files of one cycle in order; the first file is repeated at the end. Null if there is no
 * cycle.
 */
const cycleIn = (graph: Graph): readonly string[] | null => {
  const done = new Set<string>();
  const path: string[] = [];
  const walk = (name: string): readonly string[] | null => {
    const at = path.indexOf(name);
    if (at >= 0) return [...path.slice(at), name];
    if (done.has(name)) return null;
    path.push(name);
    for (const target of graph.get(name) ?? []) {
      const found = walk(target);
      if (found) return found;
    }
    path.pop();
    done.add(name);
    return null;
  };
  for (const name of graph.keys()) {
    const found = walk(name);
    if (found) return found;
  }
  return null;
};

const source = import.meta.dirname;
const sources: Sources = new Map(
  readdirSync(source, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && !/\.test\.tsx?$/.test(name))
    .map((name) => [name.replaceAll('\\', '/'), readFileSync(join(source, name), 'utf8')]),
);
const graph = graphOf(sources);
const planted = (files: Readonly<Record<string, string>>): Graph =>
  new Map([...graph, ...graphOf(new Map(Object.entries(files)))]);

const roomOf = (name: string): string => name.split('/')[0]!;
/** The imports that lead to a layer that the layer of the importing file may not use. */
const upward = (of: Graph): string[] =>
  [...of].flatMap(([name, targets]) =>
    targets
      .filter(
        (target) =>
          roomOf(target) !== roomOf(name) && !webRooms[roomOf(name)]!.includes(roomOf(target)),
      )
      .map((target) => `${name} → ${target}`),
  );

describe('the import graph of the web', () => {
  it('every page and the login page can be reached from the entry file in the import graph', () => {
    const reached = new Set<string>();
    const walk = (name: string): void => {
      if (reached.has(name)) return;
      reached.add(name);
      for (const target of graph.get(name) ?? []) walk(target);
    };
    walk('start/main.ts');
    // The compiler adds imports of these modules to every component.
    for (const name of ['jsx-runtime', 'jsx-dev-runtime']) walk(`base/jsx/${name}.ts`);
    expect(
      [...graph.keys()].filter((name) => !reached.has(name) && !name.endsWith('.d.ts')),
    ).toEqual([]);
  });

  it('the import graph of the web, including type imports and import(), has no cycle', () => {
    expect(cycleIn(graph)).toBeNull();
  });

  it.each([
    ['static imports', `import { b } from './b.ts';\nexport const a = b;\n`],
    ['type imports', `import type { B } from '#ui/b.ts';\nexport type A = B;\n`],
    ['an import()', `export const a = async () => (await import('#ui/b.ts')).b;\n`],
    ['an import() in a type', `export type A = import('./b.ts').B;\n`],
    ['an export from', `export { b } from './b.ts';\n`],
  ])('a planted cycle of %s is reported', (_, text) => {
    const found = cycleIn(
      planted({ 'ui/a.ts': text, 'ui/b.ts': `import { a } from './a.ts';\nexport const b = a;\n` }),
    );
    expect(found).toEqual(['ui/a.ts', 'ui/b.ts', 'ui/a.ts']);
  });

  it('a lazy import of a page by the shell is reported, because pages are above the shell', () => {
    const path = 'shell/tabs/open-screen.ts';
    const lazy = `${sources.get(path)!}\nexport const fetchPage = () => import('#pages/workplace.tsx');\n`;
    expect(cycleIn(planted({ [path]: lazy }))).toContain('pages/workplace.tsx');
  });

  it('every import, including import(), leads to a file of the same layer or of a lower layer', () => {
    expect(upward(graph)).toEqual([]);
  });

  it('a dynamic import() from a higher layer is reported', () => {
    const text = `export const a = () => import('#shell/session/session.ts');\n`;
    expect(upward(planted({ 'ui/a.ts': text }))).toEqual(['ui/a.ts → shell/session/session.ts']);
  });
});
