import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { sql } from '#platform/db/db.ts';
import { nameOf, openWorld } from '#testing/access.ts';
import type { World } from '#testing/access.ts';
import { rememberAccess } from '#testing/restore-access.ts';
import { openTestSystem, rowsOf } from '#testing/test-system.ts';
import type { TestSystem } from '#testing/test-system.ts';
import { routes } from './routes.ts';

// Every endpoint with the largest request that its schema allows (requirements §10.12.15).

interface Schema {
  type?: string;
  enum?: unknown[];
  const?: unknown;
  format?: string;
  pattern?: string;
  maxLength?: number;
  maxItems?: number;
  items?: Schema;
  prefixItems?: Schema[];
  properties?: Record<string, Schema>;
  additionalProperties?: Schema | boolean;
  propertyNames?: Schema;
  anyOf?: Schema[];
  allOf?: Schema[];
  oneOf?: Schema[];
}

const inputOf = (name: string): Schema =>
  z.toJSONSchema(routes.find((route) => nameOf(route) === name)!.endpoint.input, {
    io: 'input',
    unrepresentable: 'any',
  }) as Schema;
const formsOf = ({ anyOf = [], allOf = [], oneOf = [] }: Schema): Schema[] => [
  ...anyOf,
  ...allOf,
  ...oneOf,
];

/**
 * True if every match of a pattern has a limited length. The pattern then contains no `*`, `+` or
 * open `{n,}`, except if they are escaped or inside a character class.
 */
const isEnding = (pattern: string): boolean =>
  !/[*+]|\{\d+,\}/.test(pattern.replaceAll(/\\.|\[[^\]]*\]/g, 'x'));

/** Returns the paths of the texts, lists and records in a schema whose length has no limit. */
const endless = (schema: Schema, path: string): string[] => {
  const {
    type,
    format,
    pattern,
    maxLength,
    maxItems,
    items,
    prefixItems,
    properties = {},
    additionalProperties,
    propertyNames,
  } = schema;
  const isOneOfFew = schema.enum !== undefined || schema.const !== undefined;
  const forms = formsOf(schema);
  const isText =
    type === 'string' &&
    !isOneOfFew &&
    maxLength === undefined &&
    format !== 'date-time' &&
    !(pattern && isEnding(pattern));
  const isList = type === 'array' && maxItems === undefined && prefixItems === undefined;
  const isRecord = typeof additionalProperties === 'object' && propertyNames?.enum === undefined;
  const isAnything = type === undefined && forms.length === 0 && !isOneOfFew;
  return [
    ...(isText || isList || isRecord || isAnything ? [path] : []),
    ...(items ? endless(items, `${path}[]`) : []),
    ...Object.entries(properties).flatMap(([name, inner]) =>
      endless(inner, path === '' ? name : `${path}.${name}`),
    ),
    ...(typeof additionalProperties === 'object' ? endless(additionalProperties, `${path}{}`) : []),
    ...forms.flatMap((form) => endless(form, path)),
  ];
};

/** The inputs whose limit is not in their schema, with the place that limits them. */
const endsElsewhere: Record<string, string> = {
  filter: 'read by the schema of its list',
  'filter{}': 'read by the schema of its list',
  filters: 'read by the schema of its list',
  offer_carriers: 'keys are provinces alone, and one for all others (import-rule.test.ts)',
  'filters{}': 'read by the schema of its list',
  values: 'read by the schema of its action',
  search: 'at most 8 KiB with the whole view (ceilings.test.ts)',
  'search{}': 'at most 8 KiB with the whole view (ceilings.test.ts)',
  columns: 'at most 8 KiB with the whole view (ceilings.test.ts)',
  value: 'at most 8 KiB (profile.test.ts)',
};

const names = routes.map(nameOf);

describe('every text, list and record in the input of an endpoint', () => {
  it.each(names)(
    '%s limits the size of every text, list and record in its input schema',
    (name) => {
      expect(
        endless(inputOf(name), '').filter((path) => !Object.hasOwn(endsElsewhere, path)),
      ).toEqual([]);
    },
  );
});

/** Returns a value with the longest lists and texts that the schema allows. */
const largest = (value: unknown, schema: Schema): unknown => {
  const fitting = [schema, ...formsOf(schema)];
  if (Array.isArray(value)) {
    const list = fitting.find(({ type }) => type === 'array');
    const one = value.at(-1);
    if (!list?.maxItems || !list.items || one === undefined) return value;
    const numbered = (item: unknown, at: number): unknown =>
      typeof item === 'number' ? item + at : item;
    return Array.from({ length: list.maxItems }, (_, at) =>
      at < value.length ? value[at] : numbered(largest(one, list.items!), at),
    );
  }
  if (typeof value === 'string') {
    const text = fitting.find(
      ({ type, maxLength }) => type === 'string' && maxLength !== undefined,
    );
    if (!text || text.pattern || text.format || value === '') return value;
    return value + value.at(-1)!.repeat(Math.max(0, text.maxLength! - value.length));
  }
  if (value === null || typeof value !== 'object' || value instanceof Blob) return value;
  const properties = fitting.find((form) => form.properties)?.properties ?? {};
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      properties[name] ? largest(inner, properties[name]) : inner,
    ]),
  );
};

/**
 * `bytes`: the largest size of a response to an empty request. `each`: the additional bytes per
 * byte of the request.
 */
const bound = { bytes: 300_000, each: 8 };

describe('every response to the largest input', () => {
  let system: TestSystem;
  let world: World;
  /** Restores the sessions that some of the calls end. */
  let restoreAccess: () => Promise<void>;
  beforeAll(async () => {
    system = await openTestSystem();
    world = await openWorld(system);
    restoreAccess = await rememberAccess(system.app);
  });
  afterAll(() => system.close());
  afterEach(async () => {
    await restoreAccess();
    await rowsOf(
      system,
      sql`update merchants set is_default = (id = (select min(id) from merchants))::int
        where is_default <> (id = (select min(id) from merchants))::int`,
    );
  });

  it.each(names)(
    'the endpoint %s returns a response of limited size, and no server error, for its largest input',
    async (name) => {
      let asked = 0;
      const change = (body: object): object => {
        const most = largest(body, inputOf(name)) as object;
        asked = JSON.stringify(most).length;
        return most;
      };
      const { status, bytes } = await world.ask(world.tokens.super, name, 'own', {
        fresh: true,
        change,
      });
      expect(status, bytes.toString('utf8').slice(0, 300)).toBeLessThan(500);
      expect(status).not.toBe(401);
      expect(bytes.length).toBeLessThan(bound.bytes + bound.each * asked);
    },
  );
});
