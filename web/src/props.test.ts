import { readFileSync, readdirSync } from 'node:fs';
import { join, posix } from 'node:path';
import { parseSync } from 'vite';
import { expect, test } from 'vitest';

/**
 * The maximum number of props. A component that needs more must be split, or its caller must pass
 * parts of it as elements.
 */
const mostProps = 12;
/**
 * The type of the props that every field passes on to its frame (ui/fields/field.tsx). All of them
 * together count as one prop.
 */
const frame = 'FieldProps';

interface Node {
  type: string;
  [field: string]: unknown;
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string';

const nodesOf = (root: Node): Node[] => {
  const found: Node[] = [];
  const waiting: unknown[] = [root];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (Array.isArray(next))
      waiting.push(
        ...(next as unknown[]).filter((each) => typeof each === 'object' && each !== null),
      );
    else if (isNode(next)) {
      found.push(next);
      for (const field of Object.values(next))
        if (typeof field === 'object' && field !== null) waiting.push(field);
    }
  }
  return found;
};

const nameOf = (node: unknown): string =>
  isNode(node) ? String(node['name'] ?? node['value'] ?? '') : '';

const list = (value: unknown): readonly Node[] =>
  Array.isArray(value) ? value.filter(isNode) : [];

/** The strings of a type such as `'a' | 'b'`. */
const wordsOf = (type: Node | undefined): string[] => {
  if (type?.type === 'TSUnionType') return list(type['types']).flatMap(wordsOf);
  return type?.type === 'TSLiteralType' ? [nameOf(type['literal'])] : [];
};

/**
 * Finds a type by its name. Also returns the types of the file that declares it, because the type
 * may use them.
 */
interface Types {
  find: (name: string) => { type: Node; types: Types } | null;
}

/** The names of the props that a type contains. Attributes of HTML elements are not counted. */
const propsOf = (type: Node | undefined, types: Types): readonly string[] => {
  if (!type) return [];
  const members = (body: unknown): string[] =>
    list(body).flatMap((member) => nameOf(member['key']));
  const named = (name: string): readonly string[] => {
    if (name === frame) return [frame];
    const found = types.find(name);
    return found ? propsOf(found.type, found.types) : [];
  };
  switch (type.type) {
    case 'TSTypeLiteral':
      return members(type['members']);
    case 'TSTypeAliasDeclaration':
      return propsOf(type['typeAnnotation'] as Node, types);
    case 'TSInterfaceDeclaration': {
      const bases = list(type['extends']).flatMap((base) =>
        referred(nameOf(base['expression']), base, types, named),
      );
      return [...new Set([...bases, ...members((type['body'] as Node)['body'])])];
    }
    case 'TSIntersectionType':
      return [...new Set(list(type['types']).flatMap((each) => propsOf(each, types)))];
    case 'TSUnionType':
      return list(type['types'])
        .map((each) => propsOf(each, types))
        .reduce((most, each) => (each.length > most.length ? each : most), []);
    case 'TSTypeReference':
      return referred(nameOf(type['typeName']), type, types, named);
    default:
      return [];
  }
};

const referred = (
  name: string,
  reference: Node,
  types: Types,
  named: (name: string) => readonly string[],
): readonly string[] => {
  const [of, words] = list((reference['typeArguments'] as Node | undefined)?.['params']);
  const ofElement = /HTMLAttributes$|^SVGProps$/.test(nameOf(of?.['typeName']));
  if (name === 'Pick') return ofElement ? [] : wordsOf(words);
  if (name === 'Omit') return propsOf(of, types).filter((prop) => !wordsOf(words).includes(prop));
  return named(name);
};

interface File {
  nodes: readonly Node[];
  declared: ReadonlyMap<string, Node>;
  imported: ReadonlyMap<string, string>;
}

type Sources = ReadonlyMap<string, string>;

/** Reads files as syntax trees; each file is parsed only once. */
const parsed = (sources: Sources) => {
  const files = new Map<string, File | null>();
  const read = (name: string): File | null => {
    const known = files.get(name);
    if (known !== undefined) return known;
    const text = sources.get(name);
    if (text === undefined) return null;
    const { program } = parseSync(name, text);
    const nodes = nodesOf(program as unknown as Node);
    const declared = new Map(
      nodes
        .filter(
          ({ type }) => type === 'TSInterfaceDeclaration' || type === 'TSTypeAliasDeclaration',
        )
        .map((node) => [nameOf(node['id']), node]),
    );
    const imported = new Map(
      nodes
        .filter(({ type }) => type === 'ImportDeclaration')
        .flatMap((node) =>
          list(node['specifiers']).map((each): [string, string] => [
            nameOf(each['local']),
            nameOf(node['source']),
          ]),
        ),
    );
    const file = { nodes, declared, imported };
    files.set(name, file);
    return file;
  };
  const typesOf = (name: string): Types => ({
    find: (wanted) => {
      const file = read(name);
      const type = file?.declared.get(wanted);
      if (type) return { type, types: typesOf(name) };
      const request = file?.imported.get(wanted);
      if (request === undefined || !/^[#.]/.test(request)) return null;
      return typesOf(
        request.startsWith('#') ? request.slice(1) : posix.join(posix.dirname(name), request),
      ).find(wanted);
    },
  });
  return { read, typesOf };
};

interface Component {
  name: string;
  props: readonly string[];
}

/**
 * Components are functions whose name begins with a capital letter. Each is returned with the props
 * that its first parameter lists.
 */
const componentsIn = (sources: Sources): Component[] => {
  const { read, typesOf } = parsed(sources);
  return [...sources.keys()]
    .filter((name) => name.endsWith('.tsx'))
    .flatMap((name) => {
      const functions = read(name)!.nodes.flatMap((node): [string, Node][] => {
        if (node.type === 'FunctionDeclaration') return [[nameOf(node['id']), node]];
        const init = node.type === 'VariableDeclarator' ? node['init'] : null;
        return isNode(init) && init.type === 'ArrowFunctionExpression'
          ? [[nameOf(node['id']), init]]
          : [];
      });
      return functions
        .filter(([component]) => /^[A-Z]/.test(component))
        .map(([component, { params }]) => {
          const annotation = list(params)[0]?.['typeAnnotation'] as Node | undefined;
          return {
            name: `${name}: ${component}`,
            props: propsOf(annotation?.['typeAnnotation'] as Node | undefined, typesOf(name)),
          };
        });
    });
};

const tooWide = (components: readonly Component[]): string[] =>
  components
    .filter(({ props }) => props.length > mostProps)
    .map(({ name, props }) => `${name} takes ${props.length} props`);

test('no component of the web takes more than twelve props', () => {
  const files = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' }).filter(
    (name) => /(?<!\.test)\.tsx?$/.test(name),
  );
  const components = componentsIn(
    new Map(files.map((name) => [name, readFileSync(join(import.meta.dirname, name), 'utf8')])),
  );
  expect(components.length).toBeGreaterThan(300);
  expect(tooWide(components)).toEqual([]);
});

const letters = (count: number): string =>
  Array.from({ length: count }, (_, index) => `${String.fromCodePoint(97 + index)}: string;`).join(
    ' ',
  );

test.each([
  ['an interface', `interface Props { ${letters(13)} }\nconst Wide = (props: Props) => null;`],
  [
    'a generic interface with a base',
    `interface Base { z: 1 }\ninterface Props<R> extends Base { ${letters(12)} }\nconst Wide = <R,>({ a }: Props<R>) => null;`,
  ],
  ['a type in place', `export function Wide({ a }: { ${letters(13)} }) { return null; }`],
  [
    'an intersection',
    `type Base = Pick<Other, 'x' | 'y'>;\nconst Wide = (props: Base & { ${letters(11)} }) => null;`,
  ],
])('a component with thirteen props is found if %s names them', (_, text) => {
  expect(tooWide(componentsIn(new Map([['wide.tsx', text]])))).toEqual([
    'wide.tsx: Wide takes 13 props',
  ]);
});

test('props inherited from another file are counted, and attributes of an HTML element are not', () => {
  const wide = `import type { Base } from '#base.tsx';\ninterface Props extends Base, Pick<InputHTMLAttributes<X>, 'name' | 'disabled'> { ${letters(12)} }\nconst Wide = (props: Props) => null;`;
  const sources = new Map([
    ['wide.tsx', wide],
    ['base.tsx', 'export interface Base { z: 1 }'],
  ]);
  expect(tooWide(componentsIn(sources))).toEqual(['wide.tsx: Wide takes 13 props']);
});
