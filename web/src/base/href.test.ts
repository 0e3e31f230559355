import { describe, expect, it } from 'vitest';
import { hrefOf, hrefOfHash, patchedHref, pathOf, searchOf } from './href.ts';

describe('an href after the hash', () => {
  it('an in-app URL is split into path and query, and the encoded values of the query are decoded', () => {
    expect(pathOf('/model/expresses?q=%E8%B5%B5&page=2')).toBe('/model/expresses');
    expect(searchOf('/model/expresses?q=%E8%B5%B5&page=2')).toEqual({ q: '赵', page: '2' });
    expect(searchOf('/model/expresses')).toEqual({});
  });

  it('an in-app URL with a trailing slash has the same path as the URL without the slash', () => {
    expect(pathOf('/model/expresses/')).toBe('/model/expresses');
    expect(pathOf('/')).toBe('/');
    expect(pathOf('//')).toBe('/');
  });

  it('a query parameter of an in-app URL can be set, replaced or removed, and an empty value is removed', () => {
    expect(patchedHref('/a?x=1&y=2', { y: 3, z: 'q r', x: undefined })).toBe('/a?y=3&z=q+r');
    expect(patchedHref('/a?x=1', { x: '' })).toBe('/a');
    expect(hrefOf('/a', { none: null, zero: 0 })).toBe('/a?zero=0');
  });

  it('the in-app path is read from the address bar with or without its first slash', () => {
    expect(hrefOfHash('#/login?x=1')).toBe('/login?x=1');
    expect(hrefOfHash('#model/store')).toBe('/model/store');
    expect(hrefOfHash('')).toBe('/');
  });
});
