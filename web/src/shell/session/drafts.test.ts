import { describe, expect, it } from 'vitest';
import { draftOf, dropForeignDrafts } from './drafts.ts';
import { setStorageKey } from '#base/sealed.ts';
import { local } from '#base/storage.ts';

for (const user of [1, 2, 12]) setStorageKey(user, String(user % 10).repeat(64));

describe('a draft', () => {
  it('a form’s draft in the browser is stored for its user and screen until it is dropped', () => {
    const mine = draftOf<{ name: string }>(1, 'store');
    mine.write({ name: '赵靐芳' });
    expect(draftOf(1, 'store').read()).toEqual({ name: '赵靐芳' });
    expect(draftOf(2, 'store').read()).toBeNull();
    expect(draftOf(1, 'import').read()).toBeNull();
    mine.drop();
    expect(mine.read()).toBeNull();
  });

  it('another user’s login deletes a form’s draft in the browser, since the draft contains names and phone numbers', () => {
    draftOf(1, 'store').write({ a: 1 });
    draftOf(12, 'store').write({ a: 2 });
    dropForeignDrafts(1);
    expect(draftOf(1, 'store').read()).toEqual({ a: 1 });
    expect(draftOf(12, 'store').read()).toBeNull();
  });

  it('a damaged draft of a form in the browser is read as no draft', () => {
    local.write('waystation-draft:1:store', '{broken');
    expect(draftOf(1, 'store').read()).toBeNull();
    local.write('waystation-draft:1:store', '7');
    expect(draftOf(1, 'store').read()).toBeNull();
  });

  it('a form’s draft is stored encrypted, and cannot be read if it was copied to another user or another form', () => {
    draftOf(1, 'store').write({ name: '赵靐芳' });
    const stored = local.read('waystation-draft:1:store')!;
    expect(stored).not.toContain('赵');
    local.write('waystation-draft:2:store', stored);
    local.write('waystation-draft:1:import', stored);
    expect([
      draftOf(1, 'store').read(),
      draftOf(2, 'store').read(),
      draftOf(1, 'import').read(),
    ]).toEqual([{ name: '赵靐芳' }, null, null]);
    draftOf(99, 'store').write({ name: '无密钥' });
    expect(local.read('waystation-draft:99:store')).toBeNull();
  });

  it('a form’s draft that an older version stored in plain text is still read', () => {
    local.write('waystation-draft:1:plain', '{"name":"旧"}');
    expect(draftOf(1, 'plain').read()).toEqual({ name: '旧' });
  });
});
