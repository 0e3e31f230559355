import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { endpoint, withSchemas } from '@waystation/contract/base/endpoint.ts';
import { routes } from './routes.ts';

interface SchemaFile {
  calls?: Record<string, { method?: string; path?: string; input?: unknown; output?: unknown }>;
}

const isEndpoint = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && 'method' in value && 'path' in value;
const contract = join(import.meta.dirname, '..', '..', 'contract', 'src');
const names = readdirSync(contract, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && !/\.(test|schema)\.ts$/.test(file))
  .map((file) => file.replace(/\.ts$/, ''));

describe('an endpoint and its schemas', () => {
  it.each(names)('the endpoints of %s.ts and their schemas match one to one', async (name) => {
    const exported = (await import(join(contract, `${name}.ts`))) as Record<string, unknown>;
    const endpoints = Object.keys(exported).filter((key) => isEndpoint(exported[key]));
    if (endpoints.length === 0) return;
    const { calls = {} } = (await import(join(contract, `${name}.schema.ts`))) as SchemaFile;
    expect(Object.keys(calls).toSorted()).toEqual(endpoints.toSorted());
    for (const key of endpoints) {
      expect(calls[key], key).toMatchObject(exported[key] as object);
      expect(
        [calls[key]!.input, calls[key]!.output].map((schema) => schema instanceof z.ZodMiniType),
        key,
      ).toEqual([true, true]);
    }
  });

  it('the TypeScript compiler refuses an endpoint without schemas, with schemas of another endpoint, and schemas without an endpoint', () => {
    const schemas = {
      read: { input: z.object({}), output: z.object({ id: z.int() }) },
      other: { input: z.object({}), output: z.object({ name: z.string() }) },
    };
    const endpoints = {
      read: endpoint<typeof schemas.read>({
        method: 'GET',
        path: '/read',
        roles: [],
        summary: 'Read.',
      }),
    };
    expect(withSchemas(endpoints, { read: schemas.read }).read.output).toBe(schemas.read.output);
    // @ts-expect-error An endpoint without schemas.
    withSchemas(endpoints, {});
    // @ts-expect-error Schemas of another endpoint.
    withSchemas(endpoints, { read: schemas.other });
    // @ts-expect-error Schemas without an endpoint.
    withSchemas(endpoints, schemas);
  });
});

it('every endpoint that may read stale data is a GET', () => {
  const stale = routes.filter(({ endpoint: { reads } }) => reads === 'stale');
  expect(stale.length).toBeGreaterThan(5);
  expect(stale.filter(({ endpoint: { method } }) => method !== 'GET')).toEqual([]);
});
