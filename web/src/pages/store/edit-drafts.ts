import { restored } from '#parcels/orders/form.ts';
import type { OrderForm } from '#parcels/orders/form.ts';
import type { Edited } from '#parcels/orders/inputs.ts';
import { draftOf, draftsNamed } from '#shell/session/drafts.ts';

export interface StoredEdit {
  edited: Edited;
  form: OrderForm;
  /** The time at which the edit was typed. */
  at: number;
}

/**
 * The maximum number of edited parcels for which the browser stores the typed changes of one user.
 * If there are more, the oldest edit is deleted.
 */
export const mostEditDrafts = 20;

const prefix = 'store-edit:';
const draftOfParcel = (userId: number, id: number) => draftOf<StoredEdit>(userId, `${prefix}${id}`);

/**
 * The stored draft of an edit, with the parcel's version at the time of the edit. Each parcel has
 * its own draft, so that edits in several windows do not overwrite each other.
 */
export const readEdit = (userId: number, id: number): StoredEdit | null => {
  const { edited, form, at = 0 } = draftOfParcel(userId, id).read() ?? {};
  return edited?.id === id && typeof edited.version === 'number' && form
    ? { edited, form: restored(form), at }
    : null;
};

export const dropEdit = (userId: number, id: number): void => draftOfParcel(userId, id).drop();

export const writeEdit = (userId: number, edit: StoredEdit): void => {
  const draft = draftOfParcel(userId, edit.edited.id);
  if (draft.read() === null) {
    const others = draftsNamed<StoredEdit>(userId, prefix).toSorted(
      (a, b) => (a.read()?.at ?? 0) - (b.read()?.at ?? 0),
    );
    for (const first of others.slice(0, Math.max(0, others.length + 1 - mostEditDrafts)))
      first.drop();
  }
  draft.write(edit);
};
