import { openApi, publicTag } from '#platform/http/documents.ts';
import { routes } from '#routes.ts';

// Reads the part of /openapi.json that API keys may call, and finds the changes that would break
// the programs of its callers.

interface Schema {
  type?: unknown;
  const?: unknown;
  enum?: unknown[];
  $ref?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  anyOf?: Schema[];
  additionalProperties?: Schema | boolean;
}

interface Operation {
  tags?: string[];
  'x-waystation-key-scope': string;
  parameters: { name: string; required: boolean; schema: Schema }[];
  requestBody?: { content: Record<string, { schema?: Schema }> };
  responses: { 200: { content: Record<string, { schema?: Schema }> } };
}

export interface PublicApi {
  paths: Record<string, Record<string, Operation>>;
  schemas: Record<string, Schema>;
}

/** Returns the operations of the public API without changes, and the schemas that they use. */
export const publicApi = (): PublicApi => {
  const document = openApi(
    routes.map(({ endpoint }) => endpoint),
    '',
  ) as { paths: PublicApi['paths']; components: { schemas: PublicApi['schemas'] } };
  const paths: PublicApi['paths'] = {};
  for (const [path, methods] of Object.entries(document.paths))
    for (const [method, operation] of Object.entries(methods))
      if (operation.tags?.includes(publicTag)) (paths[path] ??= {})[method] = operation;
  const text = JSON.stringify(paths);
  const schemas = Object.fromEntries(
    Object.entries(document.components.schemas).filter(([name]) => text.includes(`/${name}"`)),
  );
  return { paths, schemas };
};

type Direction = 'input' | 'output';

const kindOf = ({ type, $ref, anyOf, const: only, enum: values }: Schema): string =>
  JSON.stringify([
    type ?? (values ?? (only === undefined ? [] : [only])).map((value) => typeof value)[0],
    $ref,
    anyOf?.map((form) => kindOf(form)).toSorted(),
  ]);

/**
 * Lists the changes that break callers: a removed field, another type, a refused value, or a new
 * required field.
 */
const changesOf = (before: Schema, after: Schema, direction: Direction, path: string): string[] => {
  if (kindOf(before) !== kindOf(after)) return [`${path}: type`];
  const lost =
    direction === 'input' && before.enum && after.enum
      ? before.enum.filter((value) => !after.enum!.includes(value))
      : [];
  const required = new Set(before.required);
  const now = new Set(after.required);
  const fields = Object.entries(before.properties ?? {}).flatMap(([name, field]) => {
    const inner = after.properties?.[name];
    return inner
      ? changesOf(field, inner, direction, `${path}.${name}`)
      : [`${path}.${name}: removed`];
  });
  const present = Object.keys(before.properties ?? {}).filter((name) => after.properties?.[name]);
  return [
    ...lost.map((value) => `${path}: no longer ${String(value)}`),
    ...fields,
    ...(direction === 'input'
      ? [...now].filter((name) => !required.has(name)).map((name) => `${path}.${name}: required`)
      : present
          .filter((name) => required.has(name) && !now.has(name))
          .map((name) => `${path}.${name}: optional`)),
    ...(before.items && after.items
      ? changesOf(before.items, after.items, direction, `${path}[]`)
      : []),
    ...(before.anyOf ?? []).flatMap((form, at) =>
      after.anyOf?.[at] ? changesOf(form, after.anyOf[at], direction, path) : [],
    ),
    ...(typeof before.additionalProperties === 'object' &&
    typeof after.additionalProperties === 'object'
      ? changesOf(before.additionalProperties, after.additionalProperties, direction, `${path}{}`)
      : []),
  ];
};

const contentChanges = (
  before: Record<string, { schema?: Schema }> = {},
  after: Record<string, { schema?: Schema }> = {},
  direction: Direction,
): string[] =>
  Object.entries(before).flatMap(([type, { schema = {} }]) =>
    type in after
      ? changesOf(schema, after[type]!.schema ?? {}, direction, direction)
      : [`${direction} ${type}: removed`],
  );

const operationChanges = (before: Operation, after: Operation): string[] => {
  const known = new Map(before.parameters.map((one) => [one.name, one]));
  const now = new Map(after.parameters.map((one) => [one.name, one]));
  return [
    ...(before['x-waystation-key-scope'] === after['x-waystation-key-scope'] ? [] : ['scope']),
    ...[...known].flatMap(([name, one]) => {
      const next = now.get(name);
      return next ? changesOf(one.schema, next.schema, 'input', name) : [`${name}: removed`];
    }),
    ...[...now]
      .filter(([name, one]) => one.required && !known.get(name)?.required)
      .map(([name]) => `${name}: required`),
    ...contentChanges(before.requestBody?.content, after.requestBody?.content, 'input'),
    ...contentChanges(before.responses[200].content, after.responses[200].content, 'output'),
  ];
};

/**
 * Returns each change that could break a caller who uses the API `before` when the API becomes
 * `after`.
 */
export const breakingChanges = (before: PublicApi, after: PublicApi): string[] => [
  ...Object.entries(before.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, operation]) => {
      const next = after.paths[path]?.[method];
      const changes = next ? operationChanges(operation, next) : ['removed'];
      return changes.map((change) => `${method} ${path}: ${change}`);
    }),
  ),
  ...Object.entries(before.schemas).flatMap(([name, schema]) =>
    after.schemas[name]
      ? changesOf(schema, after.schemas[name], 'output', name)
      : [`${name}: removed`],
  ),
];
