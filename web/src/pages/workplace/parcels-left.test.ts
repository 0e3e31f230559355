import { describe, expect, it } from 'vitest';
import { parcelsLeft } from './parcels-left.ts';

const row = (post_amount: number) => ({ post_amount });

describe('how many parcels a wallet still covers', () => {
  it('the number of parcels that a wallet covers is calculated with the average price of the latest priced parcels', () => {
    expect(parcelsLeft(10_000, [row(1_000), row(3_000)])).toBe(5);
    expect(parcelsLeft(9_999, [row(1_000), row(3_000)])).toBe(4);
  });
  it('drafts, which have no price, are ignored when the number of parcels that a wallet covers is calculated', () => {
    expect(parcelsLeft(10_000, [row(0), row(2_000)])).toBe(5);
    expect(parcelsLeft(10_000, [row(0)])).toBeNull();
  });
  it('an overdrawn wallet covers zero parcels, not a negative number of parcels', () => {
    expect(parcelsLeft(-500, [row(1_000)])).toBe(0);
  });
});
