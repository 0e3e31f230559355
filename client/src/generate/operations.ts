import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as z from 'zod/mini';
import type { CheckedEndpoint } from '@waystation/contract/base/endpoint.ts';
import { describeSchemas } from './describe.ts';
import type { JsonSchema } from './types.ts';

const folder = fileURLToPath(new URL('../../../contract/src', import.meta.url));

/** An operation of the public API. */
export interface PublicOperation {
  /** The endpoint's name in the contract, such as `listExpresses`. */
  contractName: string;
  /** The name of the client's method, such as `listParcels`. */
  name: string;
  endpoint: CheckedEndpoint;
  input: JsonSchema;
  output: JsonSchema;
}

/** `express` in the contract's names is `parcel` in the client (docs/glossary.md). */
const methodName = (name: string): string =>
  name
    .replace('Expresses', 'Parcels')
    .replace('Express', 'Parcel')
    .replace(/^express/, 'parcel');

const schemaOf = (schema: z.ZodMiniType, io: 'input' | 'output'): JsonSchema =>
  z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as JsonSchema;

const isDigits = (before: JsonSchema): boolean =>
  before.anyOf?.length === 2 &&
  before.anyOf[0]!.type === 'number' &&
  before.anyOf[1]!.type === 'string';

/**
 * Combines the schemas of an input before and after parsing. A number has the limits of the parsed
 * schema instead of "a number or digits". If a text is parsed to a list, the combined schema is
 * that of the text.
 */
const sent = (before: JsonSchema, after: JsonSchema): JsonSchema => {
  const description = before.description ?? after.description;
  const kept = description === undefined ? {} : { description };
  if (isDigits(before)) return { ...after, ...kept };
  if (before.properties && after.properties) {
    const properties = Object.entries(before.properties).map(
      ([name, field]) => [name, sent(field, after.properties?.[name] ?? {})] as const,
    );
    return { ...before, properties: Object.fromEntries(properties) };
  }
  if (before.items && after.items)
    return { ...before, items: sent(before.items, after.items), ...kept };
  if (before.anyOf && after.anyOf?.length === before.anyOf.length)
    return { ...before, anyOf: before.anyOf.map((one, at) => sent(one, after.anyOf![at]!)) };
  return { ...before, ...kept };
};

/** The operations that can be called with an API key, sorted by path and then by method. */
export const publicOperations = async (): Promise<PublicOperation[]> => {
  describeSchemas();
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.schema.ts'))
    .toSorted();
  const found: PublicOperation[] = [];
  for (const file of files) {
    const { calls = {} } = (await import(join(folder, file))) as {
      calls?: Record<string, CheckedEndpoint>;
    };
    for (const [contractName, endpoint] of Object.entries(calls)) {
      if (!endpoint.key) continue;
      found.push({
        contractName,
        name: methodName(contractName),
        endpoint,
        input: sent(schemaOf(endpoint.input, 'input'), schemaOf(endpoint.input, 'output')),
        output: schemaOf(endpoint.output, 'output'),
      });
    }
  }
  return found.toSorted(
    (a, b) =>
      a.endpoint.path.localeCompare(b.endpoint.path, 'en') ||
      a.endpoint.method.localeCompare(b.endpoint.method, 'en'),
  );
};
