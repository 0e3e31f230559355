import { useCallback, useLayoutEffect, useState } from 'react';
import type { OrderForm } from '#parcels/orders/form.ts';
import type { Edited } from '#parcels/orders/inputs.ts';
import { useUser } from '#shell/session/session.ts';
import { dropEdit, readEdit, writeEdit } from './edit-drafts.ts';
import type { StoredEdit } from './edit-drafts.ts';

export interface EditedParcel {
  edited: Edited | null;
  setEdited: (edited: Edited | null) => void;
  /**
   * The edit of this parcel that was typed before a reload, with the parcel's version at that time.
   * Null if there is no such edit.
   */
  typedOf: (id: number) => StoredEdit | null;
}

/**
 * Stores the typed edit of a parcel, so that a reload does not lose it. It is stored apart from the
 * draft of new orders, so that it can never become a new order.
 */
export const useStoredEdit = (edited: Edited | null, form: OrderForm): void => {
  const { id: userId } = useUser();
  // Writes the draft in the same step in which the form is rendered. A later write could store the
  // draft again with an outdated version after the edit has ended.
  useLayoutEffect(() => {
    if (edited !== null) writeEdit(userId, { edited, form, at: Date.now() });
  }, [userId, edited, form]);
};

/** The state of the parcel that the form edits, and of the stored drafts of its edits. */
export const useEdited = (): EditedParcel => {
  const { id: userId } = useUser();
  const [edited, setEdited] = useState<Edited | null>(null);
  return {
    edited,
    // If another parcel replaces the edited one, that edit was queued or discarded, so its draft is
    // deleted.
    setEdited: (next) => {
      if (edited !== null && edited.id !== next?.id) dropEdit(userId, edited.id);
      setEdited(next);
    },
    typedOf: useCallback((id) => readEdit(userId, id), [userId]),
  };
};
