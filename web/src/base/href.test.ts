import { describe, expect, it } from 'vitest';
import { hrefOf, hrefOfHash, patchedHref, pathOf, searchOf } from './href.ts';

describe('an href after the hash', () => {
  it('an href after the hash is split into path and search, with encoded values read', () => {
    expect(pathOf('/model/expresses?q=%E8%B5%B5&page=2')).toBe('/model/expresses');
    expect(searchOf('/model/expresses?q=%E8%B5%B5&page=2')).toEqual({ q: '赵', page: '2' });
    expect(searchOf('/model/expresses')).toEqual({});
  });

  it('an href with a slash at its end equals the one without', () => {
    expect(pathOf('/model/expresses/')).toBe('/model/expresses');
    expect(pathOf('/')).toBe('/');
    expect(pathOf('//')).toBe('/');
  });

  it('an href after the hash is changed key by key: set, replaced, removed', () => {
    expect(patchedHref('/a?x=1&y=2', { y: 3, z: 'q r', x: undefined })).toBe('/a?y=3&z=q+r');
    expect(patchedHref('/a?x=1', { x: '' })).toBe('/a');
    expect(hrefOf('/a', { none: null, zero: 0 })).toBe('/a?zero=0');
  });

  it('an href is read from the address bar with or without its first slash', () => {
    expect(hrefOfHash('#/login?x=1')).toBe('/login?x=1');
    expect(hrefOfHash('#model/store')).toBe('/model/store');
    expect(hrefOfHash('')).toBe('/');
  });
});
