import fastJson from 'fast-json-stringify';
import * as z from 'zod/mini';
import { firstOf, present } from '@waystation/contract/base/present.ts';

/** The parts of a JSON schema that the answers of the API contract use. */
interface Shape {
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  properties?: Record<string, Shape>;
  required?: string[];
  additionalProperties?: Shape | boolean;
  items?: Shape | boolean;
  prefixItems?: Shape[];
  anyOf?: Shape[];
  oneOf?: Shape[];
  $ref?: string;
  $schema?: string;
  $defs?: Record<string, Shape>;
}

type WireShape = Record<string, unknown>;

const primitives = new Set(['null', 'string', 'number', 'integer', 'boolean']);

const literalType = (value: unknown): string =>
  typeof value === 'number' && Number.isInteger(value) ? 'integer' : typeof value;

/**
 * Returns the primitive types that a value without parts may have. Null if the value has parts or
 * may have any type.
 */
const primitivesOf = ({ type, const: literal, enum: values }: Shape): string[] | null => {
  if (values !== undefined) return [...new Set(values.map(literalType))];
  if (literal !== undefined) return [literalType(literal)];
  const types = type === undefined ? [] : [type].flat();
  return types.length > 0 && types.every((one) => primitives.has(one)) ? types : null;
};

/**
 * Writes a value without any conversion if its type is in the list. Null is always written as null,
 * never as "" or 0.
 */
const exactly = (types: string[]): WireShape => ({ type: [...new Set(['null', ...types])] });

const objectWire = (shape: Shape): WireShape => {
  const properties = Object.entries(shape.properties ?? {}).map(
    ([name, part]) => [name, wireOf(part)] as const,
  );
  const { additionalProperties: rest } = shape;
  return {
    type: 'object',
    nullable: true,
    properties: Object.fromEntries(properties),
    required: shape.required ?? [],
    additionalProperties: typeof rest === 'object' ? wireOf(rest) : false,
  };
};

/** Returns the property that has a different literal in each branch of the union. */
const discriminatorOf = (forms: readonly Shape[]): string => {
  const name = Object.keys(firstOf(forms).properties ?? {}).find((key) => {
    const literals = forms.map((form) => form.properties?.[key]?.const);
    return (
      literals.every((literal) => literal !== undefined) &&
      new Set(literals).size === literals.length
    );
  });
  if (name === undefined) throw new Error('no literal distinguishes the forms of an answer');
  return name;
};

/**
 * Writes a value of a union. The branch is chosen only by the discriminator. If no branch matches,
 * the last one is used, and writing fails if a property that it requires is missing.
 */
const formsWire = (forms: readonly Shape[]): WireShape => {
  if (forms.length === 1) return wireOf(firstOf(forms));
  const name = discriminatorOf(forms);
  const [first, ...others] = forms;
  const condition = {
    type: 'object',
    properties: { [name]: { const: present(present(present(first).properties)[name]).const } },
    required: [name],
  };
  return { if: condition, then: wireOf(first!), else: formsWire(others) };
};

const unionWire = (branches: readonly Shape[]): WireShape => {
  const forms = branches
    .filter((branch) => branch.type !== 'null')
    .flatMap((branch) => branch.anyOf ?? [branch]);
  const types = forms.map(primitivesOf);
  if (types.every((one) => one !== null)) return exactly(types.flat());
  if (forms.length === 1) return wireOf(firstOf(forms));
  if (forms.every(({ type }) => type === 'object')) return formsWire(forms);
  const lists = forms.filter(({ type }) => type === 'array');
  if (
    lists.length !== 1 ||
    forms.some((form) => form.type !== 'array' && primitivesOf(form) === null)
  )
    throw new Error('an answer has a union that cannot be written');
  // The type `array` comes first in the list, because the writer could otherwise write an array as
  // a text.
  return { ...wireOf(firstOf(lists)), ...exactly(['array', ...types.flatMap((one) => one ?? [])]) };
};

/**
 * Returns the schema for writing a response. It has no validation, no literals and no conversion of
 * values.
 */
const wireOf = (shape: Shape): WireShape => {
  if (shape.$ref !== undefined) return { $ref: shape.$ref.replace('#/$defs/', '#/definitions/') };
  const union = shape.anyOf ?? shape.oneOf;
  if (union !== undefined) return unionWire(union);
  const types = primitivesOf(shape);
  if (types !== null) return exactly(types);
  if (shape.type === 'object') return objectWire(shape);
  if (shape.type === 'array')
    return {
      type: 'array',
      nullable: true,
      items: typeof shape.items === 'object' ? wireOf(shape.items) : {},
    };
  if (Object.keys(shape).length > 0)
    throw new Error(
      `an answer has a schema that cannot be written: ${Object.keys(shape).join(', ')}`,
    );
  return {};
};

export type AnswerText = (answer: unknown) => string;

/**
 * Returns a function that writes a response as JSON text with only the declared properties, so that
 * an undeclared column never leaves the server. It throws if a required property is missing or a
 * value has another type than declared. It does not check ranges, lengths and literals.
 */
export const answerText = (output: z.ZodMiniType): AnswerText => {
  const {
    $schema: _,
    $defs = {},
    ...shape
  } = z.toJSONSchema(output, { io: 'output', unrepresentable: 'any' }) as Shape;
  const definitions = Object.fromEntries(
    Object.entries($defs).map(([name, part]) => [name, wireOf(part)]),
  );
  const write = fastJson({ ...wireOf(shape), definitions } as unknown as fastJson.Schema);
  // A value with the type "unknown" may be undefined; it is written as null.
  return (answer) => write(answer) ?? 'null';
};
