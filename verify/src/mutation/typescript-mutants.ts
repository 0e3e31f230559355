import { parseAst } from 'vite';
import { mutated } from './mutants.ts';
import type { Change } from './mutants.ts';

interface Node {
  type: string;
  start: number;
  end: number;
  [name: string]: unknown;
}

const binary: Readonly<Record<string, readonly string[]>> = {
  '<': ['<=', '>='],
  '<=': ['<', '>'],
  '>': ['>=', '<='],
  '>=': ['>', '<'],
  '===': ['!=='],
  '!==': ['==='],
  '+': ['-'],
  '-': ['+'],
  '*': ['/'],
  '/': ['*'],
  '%': ['*'],
  '&&': ['||'],
  '||': ['&&'],
  '??': ['&&'],
};
const called: Readonly<Record<string, string>> = {
  max: 'min',
  min: 'max',
  some: 'every',
  every: 'some',
  find: 'findLast',
};

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string';
const child = (node: Node, name: string): Node => node[name] as Node;

/** Returns the start and the end of the operator between two operands, such as `<` in `a < b`. */
const between = (
  source: string,
  left: Node,
  right: Node,
  operator: string,
): { start: number; end: number } => {
  const start = source.indexOf(operator, left.end);
  return start < right.start
    ? { start, end: start + operator.length }
    : { start: left.end, end: left.end };
};

const ofCall = (source: string, node: Node): Change[] => {
  const callee = child(node, 'callee');
  const args = (node['arguments'] as Node[]).map(({ start, end }) => source.slice(start, end));
  if (callee.type === 'Identifier' && callee['name'] === 'halfUp')
    return [
      {
        start: node.start,
        end: node.end,
        text: `Math.floor(((${args[0]}) * (${args[1]})) / 10000)`,
      },
    ];
  if (callee.type === 'Identifier' && callee['name'] === 'startedSteps')
    return [{ start: node.start, end: node.end, text: `Math.floor((${args[0]}) / (${args[1]}))` }];
  if (callee.type !== 'MemberExpression') return [];
  const name = child(callee, 'property');
  const other = called[String(name['name'])];
  return other ? [{ start: name.start, end: name.end, text: other }] : [];
};

const ofLiteral = ({ value, start, end }: Node): Change[] => {
  if (typeof value === 'boolean') return [{ start, end, text: String(!value) }];
  return typeof value === 'number' ? [{ start, end, text: String(value + 1) }] : [];
};

const ofUnary = (node: Node): Change[] => {
  const { start, end } = child(node, 'argument');
  if (node['operator'] === '!') return [{ start: node.start, end: start, text: '' }];
  return node['operator'] === '-'
    ? [{ start: node.start, end: start, text: '+' }].filter(() => end > start)
    : [];
};

const always = ({ start, end }: Node): Change[] =>
  ['true', 'false'].map((text) => ({ start, end, text }));

const changesOf = (source: string, node: Node): Change[] => {
  switch (node.type) {
    case 'BinaryExpression':
    case 'LogicalExpression': {
      const operator = String(node['operator']);
      const at = between(source, child(node, 'left'), child(node, 'right'), operator);
      return (binary[operator] ?? []).map((text) => ({ ...at, text }));
    }
    case 'UnaryExpression':
      return ofUnary(node);
    case 'Literal':
      return ofLiteral(node);
    case 'ConditionalExpression':
    case 'IfStatement':
      return always(child(node, 'test'));
    case 'AssignmentExpression': {
      const operator = String(node['operator']);
      const other = { '+=': '-=', '-=': '+=' }[operator];
      return other
        ? [{ ...between(source, child(node, 'left'), child(node, 'right'), operator), text: other }]
        : [];
    }
    case 'ExpressionStatement':
    case 'BreakStatement':
    case 'ContinueStatement':
    case 'ThrowStatement':
      return [{ start: node.start, end: node.end, text: ';' }];
    case 'CallExpression':
      return ofCall(source, node);
    default:
      return [];
  }
};

const walk = (source: string, node: Node, found: Change[]): void => {
  // Types and imports have no behaviour that a test could notice.
  if (/^(TS(?!As|NonNull|Satisfies)|Import)/.test(node.type)) return;
  found.push(...changesOf(source, node));
  for (const value of Object.values(node))
    for (const one of Array.isArray(value) ? value : [value])
      if (isNode(one)) walk(source, one, found);
};

/**
 * Returns the changes to try. A comparison is reversed or shifted by one, arithmetic is reversed,
 * or a condition is always true or false. Other changes remove a statement, increase a number, or
 * use another rounding.
 */
export const typescriptChanges = (source: string): Change[] => {
  const found: Change[] = [];
  walk(source, parseAst(source, { lang: 'ts' }) as unknown as Node, found);
  return found.filter((change) => {
    try {
      parseAst(mutated(source, change), { lang: 'ts' });
      return true;
    } catch {
      return false;
    }
  });
};
