import { expect, it } from 'vitest';
import { compileCache } from './compile-cache.mjs';

it('the folder of compiled code is in .build unless the environment names another or none', () => {
  expect(compileCache('/checkout', {})).toBe('/checkout/.build/compiled');
  expect(compileCache('/checkout', { NODE_COMPILE_CACHE: '/cache' })).toBe('/cache');
  expect(compileCache('/checkout', { NODE_COMPILE_CACHE: '' })).toBe('');
});
