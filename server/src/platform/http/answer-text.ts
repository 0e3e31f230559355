import fastJson from 'fast-json-stringify';
import * as z from 'zod/mini';

/** A JSON schema, as far as the contract's answers use it. */
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

const literalType = (value: unknown): string => (typeof value === 'number' && Number.isInteger(value) ? 'integer' : typeof value);

/** The primitive types of a value without parts; null where it has parts, or any type. */
const primitivesOf = ({ type, const: literal, enum: values }: Shape): string[] | null => {
  if (values !== undefined) return [...new Set(values.map(literalType))];
  if (literal !== undefined) return [literalType(literal)];
  const types = type === undefined ? [] : [type].flat();
  return types.length > 0 && types.every((one) => primitives.has(one)) ? types : null;
};

/** A list of types is compared with the value's own type and never converted to it; null is written as null, never as "" or 0. */
const exactly = (types: string[]): WireShape => ({ type: [...new Set(['null', ...types])] });

const objectWire = (shape: Shape): WireShape => {
  const properties = Object.entries(shape.properties ?? {}).map(([name, part]) => [name, wireOf(part)] as const);
  const { additionalProperties: rest } = shape;
  return {
    type: 'object',
    nullable: true,
    properties: Object.fromEntries(properties),
    required: shape.required ?? [],
    additionalProperties: typeof rest === 'object' ? wireOf(rest) : false,
  };
};

/** The property that has another literal in each of the forms. */
const discriminatorOf = (forms: readonly Shape[]): string => {
  const name = Object.keys(forms[0]!.properties ?? {}).find((key) => {
    const literals = forms.map((form) => form.properties?.[key]?.const);
    return literals.every((literal) => literal !== undefined) && new Set(literals).size === literals.length;
  });
  if (name === undefined) throw new Error('no literal distinguishes the forms of an answer');
  return name;
};

/** One form or another, chosen by its discriminator alone. A value of none of the forms is written as the last one, whose required properties it then lacks. */
const formsWire = (forms: readonly Shape[]): WireShape => {
  if (forms.length === 1) return wireOf(forms[0]!);
  const name = discriminatorOf(forms);
  const [first, ...others] = forms;
  const condition = { type: 'object', properties: { [name]: { const: first!.properties![name]!.const } }, required: [name] };
  return { if: condition, then: wireOf(first!), else: formsWire(others) };
};

const unionWire = (branches: readonly Shape[]): WireShape => {
  const forms = branches.filter((branch) => branch.type !== 'null').flatMap((branch) => branch.anyOf ?? [branch]);
  const types = forms.map(primitivesOf);
  if (types.every((one) => one !== null)) return exactly(types.flat());
  if (forms.length === 1) return wireOf(forms[0]!);
  if (forms.every(({ type }) => type === 'object')) return formsWire(forms);
  const lists = forms.filter(({ type }) => type === 'array');
  if (lists.length !== 1 || forms.some((form) => form.type !== 'array' && primitivesOf(form) === null))
    throw new Error('an answer has a union that cannot be written');
  // The list first: a list is also something that can be written as text.
  return { ...wireOf(lists[0]!), ...exactly(['array', ...types.flatMap((one) => one ?? [])]) };
};

/** The schema of what is written, from the schema of an answer: no validation, no literal in place of a value, no conversion. */
const wireOf = (shape: Shape): WireShape => {
  if (shape.$ref !== undefined) return { $ref: shape.$ref.replace('#/$defs/', '#/definitions/') };
  const union = shape.anyOf ?? shape.oneOf;
  if (union !== undefined) return unionWire(union);
  const types = primitivesOf(shape);
  if (types !== null) return exactly(types);
  if (shape.type === 'object') return objectWire(shape);
  if (shape.type === 'array') return { type: 'array', nullable: true, items: typeof shape.items === 'object' ? wireOf(shape.items) : {} };
  if (Object.keys(shape).length > 0) throw new Error(`an answer has a schema that cannot be written: ${Object.keys(shape).join(', ')}`);
  return {};
};

/** The primitive types of a property of an answer, null among them; null where its values have parts, or any type. */
export const primitiveTypes = (property: z.core.$ZodType): readonly string[] | null => {
  const { $schema: _, ...shape } = z.toJSONSchema(property, { io: 'output', unrepresentable: 'any' }) as Shape;
  const { type } = wireOf(shape);
  return Array.isArray(type) && type.every((one) => primitives.has(one as string)) ? (type as string[]) : null;
};

/** An answer that its handler has written already, with declared properties only. */
export class WrittenAnswer {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

export type AnswerText = (answer: unknown) => string;

/**
 * A function that writes an answer as JSON text with the declared properties only, so that an undeclared column never leaves the server. It throws where a
 * required property is missing and where a value has another type than declared; it does not check ranges, lengths and literals.
 */
export const answerText = (output: z.ZodMiniType): AnswerText => {
  const { $schema: _, $defs = {}, ...shape } = z.toJSONSchema(output, { io: 'output', unrepresentable: 'any' }) as Shape;
  const definitions = Object.fromEntries(Object.entries($defs).map(([name, part]) => [name, wireOf(part)]));
  const write = fastJson({ ...wireOf(shape), definitions } as unknown as fastJson.Schema);
  // What may be anything may be nothing.
  return (answer) => write(answer) ?? 'null';
};
