import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { nameOf } from '#testing/access.ts';
import { samplesOf, withUndeclared } from '#testing/samples.ts';
import { routes } from '#routes.ts';
import { answerText } from './answer-text.ts';

const sorted = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, part]) => [name, sorted(part)]),
  );
};

const endpoints = routes.map(({ endpoint }) => endpoint);

describe('the JSON text of a response', () => {
  it.each(endpoints.map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint] as const))(
    'the text of %s equals the JSON of the validated answer, without undeclared fields',
    (_, { output }) => {
      const write = answerText(output);
      const samples = samplesOf(output, 24);
      expect(samples.length).toBeGreaterThan(3);
      for (const sample of samples) {
        const validated = JSON.stringify(output.parse(sample)) ?? 'null';
        const text = write(withUndeclared(output, sample));
        expect(sorted(JSON.parse(text))).toEqual(sorted(JSON.parse(validated)));
        // The properties may be in a different order in the two texts, but both texts must have the
        // same number of bytes.
        expect(Buffer.byteLength(text)).toBe(Buffer.byteLength(validated));
      }
    },
  );

  it('no two routes have the same name', () => {
    expect(new Set(routes.map(nameOf)).size).toBe(endpoints.length);
  });

  const row = z.object({
    id: z.int(),
    name: z.string(),
    note: z.nullable(z.string()),
    shown: z.optional(z.int()),
    parts: z.array(z.object({ n: z.int() })),
  });
  const good = { id: 1, name: 'a', note: null, parts: [{ n: 1 }] };
  const write = answerText(row);

  it('the JSON text of a response keeps null values and omits missing optional properties', () => {
    expect(JSON.parse(write(good))).toEqual(good);
    expect(JSON.parse(write({ ...good, shown: undefined }))).toEqual(good);
  });

  it('a response without a required property, also in a nested object, is refused', () => {
    const { name: _, ...nameless } = good;
    expect(() => write(nameless)).toThrow('required');
    expect(() => write({ ...good, parts: [{}] })).toThrow('required');
  });

  it.each([
    ['a text for a number', { id: '1' }],
    ['a fraction for a whole number', { id: 1.5 }],
    ['a number for a text', { name: 1 }],
    ['true for a number', { id: true }],
    ['an object for a list', { parts: {} }],
    ['a text for an object', { parts: ['n'] }],
  ])('a response with %s is refused and not converted to the declared type', (_, changes) => {
    expect(() => write({ ...good, ...changes })).toThrow();
  });

  it('a null in a required field is sent as null and never as 0 or an empty text, even if the contract does not allow null there', () => {
    expect(JSON.parse(write({ ...good, id: null, name: null, parts: null }))).toEqual({
      ...good,
      id: null,
      name: null,
      parts: null,
    });
  });
});
