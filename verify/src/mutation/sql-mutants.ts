import type { Change } from './mutants.ts';

const tokens =
  /--[^\n]*|'(?:[^']|'')*'|\$\$|:=|=>|<>|<=|>=|->>|->|\|\||::|@>|\bis\s+not\s+distinct\s+from\b|\bis\s+distinct\s+from\b|\bis\s+not\s+null\b|\bis\s+null\b|[a-z_][a-z0-9_]*|\d+|[<>=+*/-]|\S/gi;

const swapped: Readonly<Record<string, readonly string[]>> = {
  '=': ['<>'],
  '<>': ['='],
  '<': ['<=', '>='],
  '<=': ['<', '>'],
  '>': ['>=', '<='],
  '>=': ['>', '<'],
  '+': ['-'],
  '-': ['+'],
  and: ['or'],
  or: ['and'],
  not: [''],
  true: ['false'],
  false: ['true'],
  min: ['max'],
  max: ['min'],
  least: ['greatest'],
  greatest: ['least'],
  'is null': ['is not null'],
  'is not null': ['is null'],
  'is distinct from': ['='],
  'is not distinct from': ['<>'],
};

interface Token {
  text: string;
  start: number;
  end: number;
}

/** Returns the token that ends the SQL statement to which the token at `at` belongs. */
const statementFrom = (all: readonly Token[], at: number): Token | undefined =>
  all.slice(at).find(({ text }) => text === ';');

const opening = new Set(['then', 'begin', 'else', 'loop', ';']);

/**
 * Removes a PL/pgSQL statement if it is an assignment, a call for its side effect, or a raised
 * exception.
 */
const leftOut = (all: readonly Token[], at: number): Change[] => {
  const before = all[at - 1]?.text.toLowerCase() ?? '';
  if (!opening.has(before)) return [];
  const word = all[at]!.text.toLowerCase();
  let next = at + 1;
  while (all[next]?.text === '.') next += 2;
  const assigns = all[next]?.text === ':=' || all[next]?.text === '[';
  if (!assigns && !['perform', 'raise', 'insert', 'update'].includes(word)) return [];
  const end = statementFrom(all, at);
  return end ? [{ start: all[at]!.start, end: end.end, text: 'null;' }] : [];
};

const changesOf = (all: readonly Token[], at: number): Change[] => {
  const { text, start, end } = all[at]!;
  const word = text.toLowerCase().replace(/\s+/g, ' ');
  if (/^\d+$/.test(text)) return [{ start, end, text: String(Number(text) + 1) }];
  return [
    ...(swapped[word] ?? []).map((other) => ({ start, end, text: other })),
    ...leftOut(all, at),
  ];
};

/**
 * Returns the mutants of functions in SQL and PL/pgSQL. Only the text between the $$ of a function
 * is changed, without the declarations.
 */
export const sqlChanges = (source: string): Change[] => {
  const found: Change[] = [];
  let inside = false;
  let declaring = false;
  const all: Token[] = [...source.matchAll(tokens)]
    .filter(([text]) => !text.startsWith('--'))
    .map((match) => ({ text: match[0], start: match.index, end: match.index + match[0].length }));
  for (const [at, { text }] of all.entries()) {
    if (text === '$$') inside = !inside;
    else if (text.toLowerCase() === 'declare') declaring = true;
    else if (text.toLowerCase() === 'begin') declaring = false;
    else if (inside && !declaring && !text.startsWith("'")) found.push(...changesOf(all, at));
  }
  return found;
};
