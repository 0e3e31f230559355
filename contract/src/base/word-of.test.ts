import { expect, it } from 'vitest';
import { providers } from '#network/provider.ts';
import type { Provider } from '#network/provider.ts';
import { expressStates } from '#parcels/express-states.ts';
import type { StateCode } from '#parcels/express-states.ts';
import { wordOf } from './word-of.ts';

it('a code in a response is shown as a word in the reader’s language, and an unknown code of a newer server is shown unchanged', () => {
  expect(wordOf(providers, 'sf', 'zh')).toBe('顺丰速运');
  expect(wordOf(providers, 'sf', 'en')).toBe('SF Express');
  expect(wordOf(providers, 'newcarrier' as Provider, 'en')).toBe('newcarrier');
  expect(wordOf(expressStates, 999 as StateCode, 'zh')).toBe('999');
  expect(wordOf(providers, 'toString' as Provider, 'en')).toBe('toString');
});
