/**
 * Finds out if a regular expression can need exponential time. It can if a text leads from one
 * position of the automaton back to that position in two ways (exponential ambiguity). This is
 * found with the product of the automaton with itself. Lookarounds, anchors and back references
 * count as empty, so that a finding may be too strict. Each lookaround is also checked as a
 * separate expression.
 */

const fewCopies = 3;
const common = [...'aZ09_ -.,:;/|()[]<>"\'\n\té中省，。（１'];

/** The index at which the character class that begins at `at` ends. */
const classEnd = (text, at) => {
  let depth = 0;
  for (let here = at; here < text.length; here++) {
    if (text[here] === '\\') here++;
    else if (text[here] === '[') depth++;
    else if (text[here] === ']' && --depth === 0) return here + 1;
    // Classes can be nested only with the flag v; without it a second `[` is a normal character.
    if (text[here] === '[' && depth > 1) depth = 1;
  }
  return text.length;
};

const escapeEnd = (text, at) => {
  const rest = text.slice(at);
  return (
    at +
    (/^\\(?:[pPuk](?:\{[^}]*\}|<[^>]*>)|u[\da-f]{4}|x[\da-f]{2}|c[A-Z]|\d+|[\s\S])/iu.exec(
      rest,
    )?.[0].length ?? 1)
  );
};

/**
 * Parses a regular expression to a tree of `empty`, `char` (its source), `seq`, `or` and `repeat`
 * (least, most). The expressions inside lookarounds are added to `lookarounds`.
 */
const parse = (text, lookarounds) => {
  let at = 0;
  const alternatives = () => {
    const all = [sequence()];
    while (text[at] === '|') {
      at++;
      all.push(sequence());
    }
    return all.length === 1 ? all[0] : { kind: 'or', parts: all };
  };
  const sequence = () => {
    const parts = [];
    while (at < text.length && text[at] !== '|' && text[at] !== ')') parts.push(repeated(atom()));
    return { kind: 'seq', parts };
  };
  const group = () => {
    const [opening] = /^\((?:\?(?:<?[=!]|<[\w$]+>|[a-z-]*:))?/u.exec(text.slice(at));
    at += opening.length;
    const inner = alternatives();
    at++;
    if (!/[=!]$/.test(opening)) return inner;
    lookarounds.push(inner);
    return { kind: 'empty' };
  };
  const atom = () => {
    const from = at;
    if (text[at] === '(') return group();
    if (text[at] === '^' || text[at] === '$') {
      at++;
      return { kind: 'empty' };
    }
    if (text[at] === '[') at = classEnd(text, at);
    else if (text[at] === '\\') at = escapeEnd(text, at);
    else at += text.codePointAt(at) > 0xffff ? 2 : 1;
    const source = text.slice(from, at);
    return /^\\(?:[bB]|[1-9]|k<)/.test(source) ? { kind: 'empty' } : { kind: 'char', source };
  };
  const repeated = (inner) => {
    const quantifier = /^(?:([*+?])|\{(\d+)(,?)(\d*)\})\??/.exec(text.slice(at));
    if (quantifier === null) return inner;
    at += quantifier[0].length;
    const [, sign, least, comma, most] = quantifier;
    if (sign !== undefined)
      return {
        kind: 'repeat',
        inner,
        least: sign === '+' ? 1 : 0,
        most: sign === '?' ? 1 : Infinity,
      };
    return {
      kind: 'repeat',
      inner,
      least: Number(least),
      most: comma === '' ? Number(least) : most === '' ? Infinity : Number(most),
    };
  };
  return alternatives();
};

/**
 * Builds the automaton of a regular expression: for each position the characters that it accepts,
 * the positions that may follow, and in how many ways each may follow.
 */
const automatonOf = (tree, flags, alphabet) => {
  const chars = [];
  const follow = [];
  const link = (from, to) => {
    for (const one of from)
      for (const next of to) follow[one].set(next, (follow[one].get(next) ?? 0) + 1);
  };
  const sets = new Map();
  const taken = (source) => {
    if (!sets.has(source)) {
      const pattern = new RegExp(`^(?:${source})$`, flags.replace(/[gym]/g, ''));
      sets.set(
        source,
        alphabet.map((character) => pattern.test(character)),
      );
    }
    return sets.get(source);
  };
  const build = (node) => {
    if (node.kind === 'empty') return { first: [], last: [], nullable: true };
    if (node.kind === 'char') {
      chars.push(taken(node.source));
      follow.push(new Map());
      const own = [chars.length - 1];
      return { first: own, last: own, nullable: false };
    }
    if (node.kind === 'or') {
      const all = node.parts.map((part) => build(part));
      return {
        first: all.flatMap(({ first }) => first),
        last: all.flatMap(({ last }) => last),
        nullable: all.some(({ nullable }) => nullable),
      };
    }
    if (node.kind === 'seq')
      return node.parts
        .map((part) => build(part))
        .reduce(joined, { first: [], last: [], nullable: true });
    return repeat(node);
  };
  const joined = (before, after) => {
    link(before.last, after.first);
    return {
      first: before.nullable ? [...before.first, ...after.first] : before.first,
      last: after.nullable ? [...before.last, ...after.last] : after.last,
      nullable: before.nullable && after.nullable,
    };
  };
  const repeat = ({ inner, least, most }) => {
    const copies = Math.max(1, Math.min(fewCopies, most === Infinity ? least : most));
    const all = { first: [], last: [], nullable: least === 0 };
    // Each copy can only follow the copy before it, so a text with fewer repetitions always uses
    // the first copies.
    for (let copy = 0, before = null; copy < copies && most > 0; copy++) {
      const one = build(inner);
      if (before !== null) link(before.last, one.first);
      if (before === null || before.nullable) all.first.push(...one.first);
      if (copy === 0) all.nullable ||= one.nullable;
      if (copy >= Math.min(least, copies) - 1 || one.nullable) all.last.push(...one.last);
      if (most === Infinity && copy === copies - 1) link(one.last, one.first);
      before = one;
    }
    return all;
  };
  build(tree);
  return { chars, follow };
};

/**
 * For each node, the number of its strongly connected component (Tarjan's algorithm, without
 * recursion).
 */
const componentsOf = (count, nextOf) => {
  const index = new Int32Array(count).fill(-1);
  const low = new Int32Array(count);
  const group = new Int32Array(count).fill(-1);
  const stack = [];
  let [found, groups] = [0, 0];
  for (let root = 0; root < count; root++) {
    if (index[root] >= 0) continue;
    const work = [{ node: root, next: null, at: 0 }];
    while (work.length > 0) {
      const top = work.at(-1);
      if (top.next === null) {
        index[top.node] = low[top.node] = found++;
        stack.push(top.node);
        top.next = nextOf(top.node);
      }
      if (top.at < top.next.length) {
        const to = top.next[top.at++];
        if (index[to] < 0) work.push({ node: to, next: null, at: 0 });
        else if (group[to] < 0) low[top.node] = Math.min(low[top.node], index[to]);
        continue;
      }
      if (low[top.node] === index[top.node]) {
        for (let node = -1; node !== top.node;) {
          node = stack.pop();
          group[node] = groups;
        }
        groups++;
      }
      work.pop();
      if (work.length > 0) low[work.at(-1).node] = Math.min(low[work.at(-1).node], low[top.node]);
    }
  }
  return group;
};

const isAmbiguous = ({ chars, follow }) => {
  const count = chars.length;
  const single = componentsOf(count, (node) => [...follow[node].keys()]);
  // Finds two positions between which one step is possible in two ways. In (a+)+ these are the
  // inner and the outer loop.
  for (const [from, next] of follow.entries())
    for (const [to, ways] of next) if (ways > 1 && single[from] === single[to]) return true;
  const meet = (one, other) => chars[one].some((takes, at) => takes && chars[other][at]);
  const nextOf = (pair) => {
    const [one, other] = [Math.floor(pair / count), pair % count];
    const all = [];
    for (const a of follow[one].keys()) {
      if (single[a] !== single[one]) continue;
      for (const b of follow[other].keys())
        if (single[b] === single[other] && meet(a, b)) all.push(a * count + b);
    }
    return all;
  };
  const pairs = componentsOf(count * count, nextOf);
  const diagonal = new Set(Array.from({ length: count }, (_, at) => pairs[at * count + at]));
  for (let one = 0; one < count; one++)
    for (let other = 0; other < count; other++)
      if (one !== other && diagonal.has(pairs[one * count + other])) return true;
  return false;
};

/** True if the regular expression may take exponential time on some text. */
export const isExponential = (source, flags) => {
  const lookarounds = [];
  const trees = [parse(source, lookarounds)];
  trees.push(...lookarounds);
  const alphabet = [
    ...new Set([...common, ...source, ...source.toUpperCase(), ...source.toLowerCase()]),
  ];
  return trees.some((tree) => isAmbiguous(automatonOf(tree, flags, alphabet)));
};
