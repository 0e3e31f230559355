import { readFileSync, readdirSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { expect, it } from 'vitest';

const source = import.meta.dirname;
const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).map((name) =>
  name.replaceAll('\\', '/'),
);
const textOf = (name: string): string => readFileSync(join(source, name), 'utf8');

/** The names of the classes that a style module defines. Classes in `:global(…)` are left out. */
const classesIn = (css: string): Set<string> => {
  const own = css.replaceAll(/\/\*[\s\S]*?\*\//g, '').replaceAll(/:global\([^)]*\)/g, '');
  return new Set(Array.from(own.matchAll(/\.([a-zA-Z][\w-]*)/g), (match) => match[1]!));
};

interface Use {
  file: string;
  module: string;
  /** The name in `styles['name']`. Null if the name is calculated at run time. */
  name: string | null;
}

/** Every use of a style module's class in a file. */
const usesIn = (file: string, text: string): Use[] =>
  Array.from(text.matchAll(/import (\w+) from '([^']+\.module\.css)'/g)).flatMap(
    ([, variable = '', path = '']) => {
      const module = path.startsWith('#') ? path.slice(1) : posix.join(dirname(file), path);
      return Array.from(
        text.matchAll(new RegExp(String.raw`\b${variable}\[(?:'([^']+)'\])?`, 'g')),
        (match) => ({ file, module, name: match[1] ?? null }),
      );
    },
  );

const modules = new Map(
  files
    .filter((name) => name.endsWith('.module.css'))
    .map((name) => [name, classesIn(textOf(name))]),
);
const uses = files
  .filter((name) => /\.tsx?$/.test(name) && name !== 'styles.test.ts')
  .flatMap((name) => usesIn(name, textOf(name)));

it('every class that a component uses exists in its style module', () => {
  expect(
    uses.filter(({ module, name }) => name !== null && !modules.get(module)!.has(name)),
  ).toEqual([]);
});

it('every class of a style module is used by a component', () => {
  const computed = new Set(uses.filter(({ name }) => name === null).map(({ module }) => module));
  const named = new Set(uses.map(({ module, name }) => `${module} .${name ?? ''}`));
  const unused = [...modules].flatMap(([module, classes]) =>
    computed.has(module) ? [] : Array.from(classes, (name) => `${module} .${name}`),
  );
  expect(unused.filter((one) => !named.has(one))).toEqual([]);
});

/**
 * Selectors that contain no class of the module. They are not allowed, because they would apply to
 * every page and to the overlays of the library.
 */
const looseIn = (css: string): string[] =>
  Array.from(css.replaceAll(/\/\*[\s\S]*?\*\//g, '').matchAll(/([^{};]+)\{/g), (match) =>
    match[1]!.trim(),
  )
    .filter(
      (selectors) => !selectors.startsWith('@') && !/^(?:from|to|[\d.%,\s]+)$/.test(selectors),
    )
    .flatMap((selectors) => selectors.replaceAll(/:global\([^)]*\)/g, '').split(/,(?![^(]*\))/))
    .filter((selector) => !selector.includes('.'))
    .map((selector) => selector.trim());

it('every rule of a style module applies to its own classes only', () => {
  const loose = [...modules.keys()].flatMap((module) =>
    looseIn(textOf(module)).map((selector) => `${module} ${selector}`),
  );
  expect(loose).toEqual([]);
  expect(
    looseIn('.a { gap: 1px } [data-open] { color: red } @media (x) { .b, p { gap: 0 } }'),
  ).toEqual(['[data-open]', 'p']);
});

it('no style module uses the primary colour for text or icons, since its contrast is too low in the dark theme', () => {
  expect(
    files.filter(
      (name) => name.endsWith('.css') && /(?:^|[\s;{])color: var\(--primary\)/.test(textOf(name)),
    ),
  ).toEqual([]);
});

/**
 * Custom properties that are set outside the style modules, by components or by the component
 * library.
 */
const setElsewhere = [
  '--anchor-width',
  '--available-height',
  '--columns',
  '--lines',
  '--row',
  '--width',
];

it('every custom property that a style reads is set in a style or in the code, since the style has no effect otherwise', () => {
  const styles = files.filter((name) => name.endsWith('.css')).map((name) => textOf(name));
  const set = new Set([
    ...setElsewhere,
    ...styles.flatMap((css) => Array.from(css.matchAll(/(--[\w-]+)\s*:/g), (match) => match[1])),
  ]);
  const read = styles.flatMap((css) =>
    Array.from(css.matchAll(/var\((--[\w-]+)/g), (match) => match[1]!),
  );
  expect([...new Set(read)].filter((name) => !set.has(name))).toEqual([]);
});

it('the check of style modules finds the classes of a style module and the classes that a component uses', () => {
  expect(
    classesIn('.a { color: red } /* .b */ .c .d:hover { gap: 1px } :global(.e) { gap: 1px }'),
  ).toEqual(new Set(['a', 'c', 'd']));
  expect(
    usesIn(
      'ui/x.tsx',
      `import styles from './x.module.css';\nconst a = styles['a'];\nconst b = styles[kind];\n`,
    ).map(({ name }) => name),
  ).toEqual(['a', null]);
});
