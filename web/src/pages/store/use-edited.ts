import { useCallback, useLayoutEffect, useState } from 'react';
import type { OrderForm } from '#parcels/orders/form.ts';
import type { Edited } from '#parcels/orders/inputs.ts';
import { useUser } from '#shell/session/session.ts';
import { dropEdit, readEdit, writeEdit } from './edit-drafts.ts';
import type { StoredEdit } from './edit-drafts.ts';

export interface EditedParcel {
  edited: Edited | null;
  setEdited: (edited: Edited | null) => void;
  /** What was typed of this parcel before a reload, with the version that it was typed of. */
  typedOf: (id: number) => StoredEdit | null;
}

/** What is typed of the edited parcel outlives a reload, apart from the draft of new orders, so that it can never become one. */
export const useStoredEdit = (edited: Edited | null, form: OrderForm): void => {
  const { id: userId } = useUser();
  // With what is drawn: written later, it would come back after the edit has ended, with a version that is gone.
  useLayoutEffect(() => {
    if (edited !== null) writeEdit(userId, { edited, form, at: Date.now() });
  }, [userId, edited, form]);
};

/** The parcel that the form changes. */
export const useEdited = (): EditedParcel => {
  const { id: userId } = useUser();
  const [edited, setEdited] = useState<Edited | null>(null);
  return {
    edited,
    // What was typed of another parcel has been queued, or was left.
    setEdited: (next) => {
      if (edited !== null && edited.id !== next?.id) dropEdit(userId, edited.id);
      setEdited(next);
    },
    typedOf: useCallback((id) => readEdit(userId, id), [userId]),
  };
};
