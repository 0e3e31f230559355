import { expect, it } from 'vitest';
import { compileCache } from './compile-cache.mjs';

it('compiled code is cached in .build, unless the environment sets another folder or an empty value', () => {
  expect(compileCache('/checkout', {})).toBe('/checkout/.build/compiled');
  expect(compileCache('/checkout', { NODE_COMPILE_CACHE: '/cache' })).toBe('/cache');
  expect(compileCache('/checkout', { NODE_COMPILE_CACHE: '' })).toBe('');
});
