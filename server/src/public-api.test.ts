import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { breakingChanges, publicApi } from '#testing/public-api.ts';
import type { PublicApi } from '#testing/public-api.ts';

/** The public operations of the last release, written by `npm run public-api`. */
const released = JSON.parse(
  readFileSync(new URL('../../docs/public-api-v1.json', import.meta.url), 'utf8'),
) as PublicApi;

const parcel = () => ({
  type: 'object',
  required: ['id'],
  properties: { id: { type: 'integer' }, name: { type: 'string' } },
});
const invented = () => ({
  paths: {
    '/parcels': {
      post: {
        'x-waystation-key-scope': 'order',
        parameters: [{ name: 'page', required: false, schema: { type: 'integer' } }],
        requestBody: { content: { 'application/json': { schema: parcel() } } },
        responses: { 200: { content: { 'application/json': { schema: parcel() } } } },
      },
    },
  },
  schemas: {},
});
type Invented = ReturnType<typeof invented>;
type Operation = Invented['paths']['/parcels']['post'];

const after = (change: (operation: Operation) => void): PublicApi => {
  const api = invented();
  change(api.paths['/parcels'].post);
  return api as unknown as PublicApi;
};
const before = invented() as unknown as PublicApi;
const inputOf = ({ requestBody }: Operation) => requestBody.content['application/json'].schema;
const outputOf = ({ responses }: Operation) => responses[200].content['application/json'].schema;

describe('the public API', () => {
  it('the public API changes no endpoint in a way that breaks callers of the last release', () => {
    expect(Object.keys(released.paths).length).toBeGreaterThan(12);
    expect(breakingChanges(released, publicApi())).toEqual([]);
  });

  it('an unchanged API, a new path, a new optional input and a new response field are not breaking changes', () => {
    expect(breakingChanges(before, invented() as unknown as PublicApi)).toEqual([]);
    const more = after((operation) => {
      Object.assign(inputOf(operation).properties, { note: { type: 'string' } });
      Object.assign(outputOf(operation).properties, { note: { type: 'string' } });
      operation.parameters.push({
        name: 'q',
        required: false,
        schema: { type: 'string' },
      } as never);
    });
    more.paths['/stations'] = before.paths['/parcels']!;
    expect(breakingChanges(before, more)).toEqual([]);
  });

  it.each<[string, (operation: Operation) => void, string]>([
    [
      'an output field that is removed',
      (one) => Reflect.deleteProperty(outputOf(one).properties, 'name'),
      'name: removed',
    ],
    [
      'an output field of another type',
      (one) => (outputOf(one).properties.id.type = 'string'),
      'id: type',
    ],
    [
      'an input field of another type',
      (one) => (inputOf(one).properties.name.type = 'integer'),
      'name: type',
    ],
    [
      'an input field that becomes required',
      (one) => inputOf(one).required.push('name'),
      'name: required',
    ],
    ['an output field that may be missing', (one) => (outputOf(one).required = []), 'id: optional'],
    [
      'a parameter that becomes required',
      (one) => (one.parameters[0]!.required = true),
      'page: required',
    ],
    ['a parameter that is removed', (one) => (one.parameters = []), 'page: removed'],
    ['another scope', (one) => (one['x-waystation-key-scope'] = 'cancel'), 'scope'],
  ])('a contract change is named as breaking: %s', (_, change, words) => {
    expect(breakingChanges(before, after(change)).join()).toContain(words);
  });

  it('the removal of an API method is listed as a breaking change', () => {
    expect(breakingChanges(before, { paths: { '/parcels': {} }, schemas: {} })).toEqual([
      'post /parcels: removed',
    ]);
  });
});
