import { unitOf } from './units.ts';

/** The parts of JSON Schema that occur in the schemas generated from the contract. */
export interface JsonSchema {
  description?: string;
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  properties?: Record<string, JsonSchema>;
  required?: string[];
  additionalProperties?: JsonSchema | boolean;
  items?: JsonSchema;
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  pattern?: string;
  minimum?: number;
  maximum?: number;
}

/** The named types of the client. The key is the text of the type, the value is its name. */
export type NamedTypes = Map<string, string>;

const dayPattern = '^[1-9]\\d{3}-\\d{2}-\\d{2}$';
const timeName = /(?:^|_)(?:at|until|since)$|^(?:from|to|pickup_from|timestamp)$/;
const hasUnit = /\b(?:fen|grams?|basis points|cm|dots|hours|days)\b/i;

const formsOf = (schema: JsonSchema): JsonSchema[] =>
  (schema.anyOf ?? schema.oneOf)?.flatMap(formsOf) ?? [schema];

const typesOf = (schema: JsonSchema): string[] => [schema.type ?? []].flat();

/**
 * Returns the schemas that a value may have. For a list these are the schemas of its items, for a
 * record those of its values.
 */
const leavesOf = (schema: JsonSchema): JsonSchema[] =>
  formsOf(schema).flatMap((form) => {
    const inner =
      form.items ?? (typeof form.additionalProperties === 'object' && form.additionalProperties);
    return inner && !form.properties ? leavesOf(inner) : [form];
  });

const isNumber = (schema: JsonSchema): boolean =>
  schema.const === undefined && typesOf(schema).some((type) => /^(?:number|integer)$/.test(type));

/**
 * Returns a field's comment: the contract's description, followed by the unit of a number or a
 * time.
 */
const commentOf = (name: string, schema: JsonSchema): string => {
  const leaves = leavesOf(schema);
  const inner = leaves.find(({ description }) => description !== undefined);
  const said = schema.description ?? inner?.description ?? '';
  const words = said === '' || /[.!?)]$/.test(said) ? said : `${said}.`;
  if (leaves.some(isNumber)) {
    const unit = unitOf(name);
    const known = hasUnit.test(words) ? '' : unit;
    return `${words} ${known}`.trim();
  }
  if (leaves.some(({ pattern }) => pattern === dayPattern))
    return `${words} Day in Asia/Shanghai, \`YYYY-MM-DD\`.`.trim();
  const isText = leaves.some((leaf) => typesOf(leaf).includes('string') && !leaf.enum);
  return isText && timeName.test(name) ? `${words} Time, ISO 8601 with offset.`.trim() : words;
};

/** Splits a text into lines of at most 90 characters. */
const wrap = (text: string): string[] =>
  text.split(' ').reduce<string[]>((lines, word) => {
    const last = lines.at(-1);
    if (last === undefined || last.length + 1 + word.length > 90) return [...lines, word];
    return [...lines.slice(0, -1), `${last} ${word}`];
  }, []);

/** Formats a text as a documentation comment; empty for an empty text. */
export const comment = (text: string): string => {
  if (text === '') return '';
  const lines = wrap(text.replaceAll('*/', '*\\/'));
  return lines.length === 1
    ? `/** ${lines[0]} */\n`
    : `/**\n${lines.map((line) => ` * ${line}\n`).join('')} */\n`;
};

const keyOf = (name: string): string => (/^[a-z_$][\w$]*$/i.test(name) ? name : `'${name}'`);

const objectText = (schema: JsonSchema, named: NamedTypes): string => {
  const required = new Set(schema.required);
  const fields = Object.entries(schema.properties ?? {}).map(
    ([name, field]) =>
      `${comment(commentOf(name, field))}${keyOf(name)}${required.has(name) ? '' : '?'}: ${typeText(field, named)};\n`,
  );
  return fields.length === 0 ? 'Record<string, never>' : `{\n${fields.join('')}}`;
};

const simpleTypes: Readonly<Record<string, string>> = {
  string: 'string',
  number: 'number',
  integer: 'number',
  boolean: 'boolean',
  null: 'null',
};

const plainText = (schema: JsonSchema, named: NamedTypes): string => {
  const { anyOf, oneOf, items, properties, additionalProperties, type } = schema;
  const forms = anyOf ?? oneOf;
  if (forms) return [...new Set(forms.map((form) => typeText(form, named)))].join(' | ');
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (items) return `(${typeText(items, named)})[]`;
  if (properties) return objectText(schema, named);
  if (typeof additionalProperties === 'object')
    return `Record<string, ${typeText(additionalProperties, named)}>`;
  if (type === undefined) return 'unknown';
  if (type === 'object') return objectText(schema, named);
  return [type]
    .flat()
    .map((one) => {
      const text = simpleTypes[one];
      if (text === undefined) throw new Error(`types.ts does not know ${JSON.stringify(schema)}`);
      return text;
    })
    .join(' | ');
};

/** True if the text is one object type, and not a union that begins with an object type. */
export const isObjectText = (text: string): boolean => {
  let depth = 0;
  for (const [at, letter] of [...text].entries()) {
    depth += letter === '{' ? 1 : letter === '}' ? -1 : 0;
    if (depth === 0) return at === [...text].length - 1 && text.length > 1;
  }
  return false;
};

/** Returns the TypeScript type of a schema; if that type has a name, returns the name. */
export const typeText = (schema: JsonSchema, named: NamedTypes): string => {
  const text = plainText(schema, named);
  return named.get(text) ?? text;
};
