import * as z from 'zod/mini';

interface Shape {
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  pattern?: string;
  minItems?: number;
  maxItems?: number;
  properties?: Record<string, Shape>;
  required?: string[];
  propertyNames?: Shape;
  additionalProperties?: Shape | boolean;
  items?: Shape | boolean;
  prefixItems?: Shape[];
  anyOf?: Shape[];
  oneOf?: Shape[];
  $ref?: string;
  $schema?: string;
  $defs?: Record<string, Shape>;
}

const texts = ['a', '', '示例 "引号" \\ 换行\n\t', '😀 é \u2028', '13800000001', 'x'.repeat(60)];
/** Texts that match the patterns in the contract's responses. */
const patterned = [
  '2026-03-02',
  '2026-03',
  '440300',
  '2026-03-02T10:00:00.000Z',
  'abc_1',
  '12.50',
  'a1b2c3',
  '13800000001',
  'A-1',
];
const anything = [{ deep: [1, null, 'x', { y: 0.5 }] }, null, 'text', 7, true, []];

/**
 * Generates samples of a schema. Together they contain each branch of the schema, null and missing
 * fields, and all lengths that the schema distinguishes.
 */
class Samples {
  readonly #defs: Record<string, Shape>;
  #turn: number;
  constructor(defs: Record<string, Shape>, turn: number) {
    this.#defs = defs;
    this.#turn = turn;
  }

  #next(count: number): number {
    this.#turn = (this.#turn * 1_103_515_245 + 12_345) % 2_147_483_648;
    return (this.#turn >>> 8) % count;
  }

  #pick<T>(values: readonly T[]): T {
    return values[this.#next(values.length)]!;
  }

  #text({ pattern, minLength = 0, maxLength = 1_000 }: Shape): string {
    const fitting = (pattern === undefined ? texts : patterned).filter(
      (text) =>
        (pattern === undefined || new RegExp(pattern, 'u').test(text)) &&
        text.length >= minLength &&
        text.length <= maxLength,
    );
    return fitting.length > 0 ? this.#pick(fitting) : '7'.repeat(minLength);
  }

  of(shape: Shape, depth = 0): unknown {
    if (shape.$ref !== undefined)
      return this.of(this.#defs[shape.$ref.split('/').at(-1)!]!, depth + 1);
    const union = shape.anyOf ?? shape.oneOf;
    if (union) return this.of(this.#pick(union), depth + 1);
    if (Array.isArray(shape.type))
      return this.of({ ...shape, type: this.#pick(shape.type) }, depth + 1);
    if (shape.enum) return this.#pick(shape.enum);
    if (shape.const !== undefined) return shape.const;
    const { minimum = -5, maximum = 9_007_199_254_740_991 } = shape;
    if (shape.type === 'null') return null;
    if (shape.type === 'boolean') return this.#next(2) === 0;
    if (shape.type === 'string') return this.#text(shape);
    if (shape.type === 'integer')
      return this.#pick([
        Math.max(minimum, 0),
        minimum,
        maximum,
        Math.min(maximum, Math.max(minimum, 12_345)),
      ]);
    if (shape.type === 'number') return this.#pick([Math.max(minimum, 0.125), maximum]);
    if (shape.type === 'array') return this.#list(shape, depth);
    if (shape.type === 'object') return this.#object(shape, depth);
    if (shape.type !== undefined) throw new Error(`no sample of ${shape.type}`);
    return this.#pick(anything);
  }

  #list({ items, prefixItems, minItems = 0, maxItems = 3 }: Shape, depth: number): unknown[] {
    if (prefixItems) return prefixItems.map((item) => this.of(item, depth + 1));
    const length = depth > 12 ? minItems : Math.min(maxItems, minItems + this.#next(3));
    return Array.from({ length }, () => this.of(typeof items === 'object' ? items : {}, depth + 1));
  }

  #object(
    { properties = {}, required = [], propertyNames, additionalProperties }: Shape,
    depth: number,
  ): unknown {
    const declared = Object.entries(properties).filter(
      ([name]) => required.includes(name) || this.#next(2) === 0,
    );
    const names =
      typeof additionalProperties === 'object'
        ? Array.from({ length: this.#next(3) }, () =>
            String(this.of(propertyNames ?? { type: 'string' })),
          )
        : [];
    return Object.fromEntries([
      ...names.map((name) => [name, this.of(additionalProperties as Shape, depth + 1)] as const),
      ...declared.map(([name, part]) => [name, this.of(part, depth + 1)] as const),
    ]);
  }
}

const jsonSchema = (schema: z.ZodMiniType): Shape =>
  z.toJSONSchema(schema, { io: 'output', unrepresentable: 'any' }) as Shape;

/**
 * Returns valid values of a schema after `count` tries. They include each branch of a union, nulls,
 * missing optional properties, empty and longer lists, and texts that need escapes.
 */
export const samplesOf = (schema: z.ZodMiniType, count: number): unknown[] => {
  const { $schema: _, $defs = {}, ...shape } = jsonSchema(schema);
  return Array.from({ length: count }, (__, index) =>
    repaired(schema, new Samples($defs, index * 7_919 + 1).of(shape)),
  ).flatMap((tried) => (tried.success ? [tried.data] : []));
};

const substitutes = ['示例', '2026-03-02', '2026-03', 1, 100];

/**
 * Returns a valid sample. If a rule outside JSON schema refuses a value, other values are tried a
 * few times.
 */
const repaired = (schema: z.ZodMiniType, sample: unknown) => {
  let tried = schema.safeParse(sample);
  for (let round = 0; !tried.success && round < 12; round++) {
    for (const { path } of tried.error.issues) {
      const owner = path
        .slice(0, -1)
        .reduce<unknown>((at, key) => (at as Record<PropertyKey, unknown>)[key], sample) as Record<
        PropertyKey,
        unknown
      >;
      const name = path.at(-1);
      if (name === undefined) continue;
      const place = path.findLast((key) => typeof key === 'number') ?? 0;
      if (Array.isArray(owner[name])) owner[name] = owner[name].slice(0, 1);
      else if (typeof owner[name] === 'number')
        owner[name] = round % 2 === 0 ? 1_000 * (place + 1) : 1_000;
      else owner[name] = substitutes[round % substitutes.length];
    }
    tried = schema.safeParse(sample);
  }
  return tried;
};

const undeclared = { password_hash: 'undeclared', terms: { shares: [1] } };

/**
 * Returns the sample with additional fields that the schema does not declare. They are added to
 * every object whose fields the schema declares.
 */
export const withUndeclared = (schema: z.ZodMiniType, sample: unknown): unknown => {
  const { $defs = {}, ...whole } = jsonSchema(schema);
  const add = (shape: Shape, value: unknown): unknown => {
    if (shape.$ref !== undefined) return add($defs[shape.$ref.split('/').at(-1)!]!, value);
    const union = shape.anyOf ?? shape.oneOf;
    if (union) return add(union.find((branch) => isOf(branch, value)) ?? {}, value);
    if (Array.isArray(value))
      return value.map((item) => add(typeof shape.items === 'object' ? shape.items : {}, item));
    if (typeof value !== 'object' || value === null || shape.type !== 'object') return value;
    const { properties = {}, additionalProperties } = shape;
    const fields = Object.entries(value).map(([name, part]) => {
      const inner =
        properties[name] ?? (typeof additionalProperties === 'object' ? additionalProperties : {});
      return [name, add(inner, part)] as const;
    });
    return { ...Object.fromEntries(fields), ...(additionalProperties === false && undeclared) };
  };
  return add(whole, sample);
};

/**
 * True if a value belongs to this branch of a union. The kind of the value decides this; for an
 * object, the values of its literals decide it too.
 */
const isOf = (shape: Shape, value: unknown): boolean => {
  if (Array.isArray(value)) return shape.type === 'array';
  if (typeof value !== 'object' || value === null) return false;
  return (
    shape.type === 'object' &&
    Object.entries(shape.properties ?? {}).every(
      ([name, { const: literal }]) =>
        literal === undefined || (value as Record<string, unknown>)[name] === literal,
    )
  );
};
