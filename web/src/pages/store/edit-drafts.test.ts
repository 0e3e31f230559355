import { describe, expect, it } from 'vitest';
import { setStorageKey } from '#base/sealed.ts';
import { emptyForm } from '#parcels/orders/form.ts';
import type { Edited } from '#parcels/orders/inputs.ts';
import { draftOf, draftsNamed } from '#shell/session/drafts.ts';
import { dropEdit, mostEditDrafts, readEdit, writeEdit } from './edit-drafts.ts';

const edit = (id: number, remark: string, at: number) => ({
  edited: { id, version: 3 } as Edited,
  form: { ...emptyForm, remark },
  at,
});

for (const user of [1, 2, 3, 4]) setStorageKey(user, String(user).repeat(64));

describe('drafts of a parcel’s edit', () => {
  it('each edited parcel has its own draft in the browser; other users and the form for new orders do not see the drafts', () => {
    writeEdit(1, edit(7, '放门卫', 1));
    writeEdit(1, edit(8, '易碎', 2));
    writeEdit(1, edit(7, '放门卫处', 3));
    expect([readEdit(1, 7)?.form.remark, readEdit(1, 8)?.form.remark]).toEqual([
      '放门卫处',
      '易碎',
    ]);
    expect(readEdit(1, 7)?.edited.version).toBe(3);
    expect(readEdit(2, 7)).toBeNull();
    expect(draftOf(1, 'store').read()).toBeNull();
    dropEdit(1, 7);
    expect([readEdit(1, 7), readEdit(1, 8)?.form.remark]).toEqual([null, '易碎']);
  });

  it('if a user stores more edit drafts than allowed, this user’s oldest draft is deleted, and the drafts of other users are kept', () => {
    writeEdit(4, edit(1, 'x', 1));
    for (let id = 1; id <= mostEditDrafts; id++) writeEdit(3, edit(id, 'x', id));
    writeEdit(3, edit(1, 'again', mostEditDrafts + 1));
    writeEdit(3, edit(100, 'x', mostEditDrafts + 2));
    expect(draftsNamed(3, 'store-edit:')).toHaveLength(mostEditDrafts);
    expect([readEdit(3, 2), readEdit(3, 1)?.form.remark, readEdit(3, 100)?.form.remark]).toEqual([
      null,
      'again',
      'x',
    ]);
    expect(readEdit(4, 1)?.form.remark).toBe('x');
  });
});
