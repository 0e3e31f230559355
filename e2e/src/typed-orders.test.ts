import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { nameOf, share, unique } from './typed-orders.ts';

describe('the names that journeys order for', () => {
  it('no two browser journeys use the same name for a receiver', () => {
    const files = readdirSync(import.meta.dirname).filter((file) => file.endsWith('.ts'));
    const names = files.flatMap((file) => Array.from({ length: share }, (_, n) => nameOf(file, n)));
    expect(share).toBeGreaterThan(100);
    expect(new Set(names).size).toBe(names.length);
    expect(names.filter((name) => [...name].length !== 3)).toEqual([]);
  });

  it('a browser journey gets each of its unique names once, and an error is thrown after the last name', () => {
    const drawn = Array.from({ length: share }, unique);
    expect(new Set(drawn)).toEqual(
      new Set(Array.from({ length: share }, (_, n) => nameOf('typed-orders.test.ts', n))),
    );
    expect(unique).toThrow('every name');
  });
});
