import { describe, expect, it } from 'vitest';
import { draftOf, dropForeignDrafts } from './drafts.ts';
import { local } from '#base/storage.ts';

describe('a draft', () => {
  it('a draft is kept for its user and screen, and gone when dropped', () => {
    const mine = draftOf<{ name: string }>(1, 'store');
    mine.write({ name: '赵靐芳' });
    expect(draftOf(1, 'store').read()).toEqual({ name: '赵靐芳' });
    expect(draftOf(2, 'store').read()).toBeNull();
    expect(draftOf(1, 'import').read()).toBeNull();
    mine.drop();
    expect(mine.read()).toBeNull();
  });

  it('goes when another user logs in, since it holds names and phones', () => {
    draftOf(1, 'store').write({ a: 1 });
    draftOf(12, 'store').write({ a: 2 });
    dropForeignDrafts(1);
    expect(draftOf(1, 'store').read()).toEqual({ a: 1 });
    expect(draftOf(12, 'store').read()).toBeNull();
  });

  it('that is broken counts as none', () => {
    local.write('waystation-draft:1:store', '{broken');
    expect(draftOf(1, 'store').read()).toBeNull();
    local.write('waystation-draft:1:store', '7');
    expect(draftOf(1, 'store').read()).toBeNull();
  });
});
