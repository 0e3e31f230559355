import { describe, expect, it } from 'vitest';
import { parcelsLeft } from './parcels-left.ts';

const row = (post_amount: number) => ({ post_amount });

describe('how many parcels a wallet still covers', () => {
  it('the parcels that a wallet covers follow from the average of the latest priced parcels', () => {
    expect(parcelsLeft(10_000, [row(1_000), row(3_000)])).toBe(5);
    expect(parcelsLeft(9_999, [row(1_000), row(3_000)])).toBe(4);
  });
  it('the parcels that a wallet covers are calculated without drafts, which have no price', () => {
    expect(parcelsLeft(10_000, [row(0), row(2_000)])).toBe(5);
    expect(parcelsLeft(10_000, [row(0)])).toBeNull();
  });
  it('an overdrawn wallet covers zero parcels, not fewer', () => {
    expect(parcelsLeft(-500, [row(1_000)])).toBe(0);
  });
});
