import { useLayoutEffect, useState } from 'react';
import { restored } from '#parcels/orders/form.ts';
import type { OrderForm } from '#parcels/orders/form.ts';
import type { Edited } from '#parcels/orders/inputs.ts';
import { useDraft } from '#shell/session/drafts.ts';

interface StoredEdit {
  edited: Edited;
  form: OrderForm;
}

export interface EditedParcel {
  edited: Edited | null;
  setEdited: (edited: Edited | null) => void;
  /** What was typed of this parcel before a reload, with the version that it was typed of. */
  typedOf: (id: number) => StoredEdit | null;
}

const useEditDraft = () => useDraft<StoredEdit>('store-edit');

/** What is typed of the edited parcel outlives a reload, apart from the draft of new orders, so that it can never become one. */
export const useStoredEdit = (edited: Edited | null, form: OrderForm): void => {
  const draft = useEditDraft();
  // With what is drawn: written later, it would come back after the edit has ended, with a version that is gone.
  useLayoutEffect(() => {
    if (edited !== null) draft.write({ edited, form });
  }, [draft, edited, form]);
};

/** The parcel that the form changes. */
export const useEdited = (): EditedParcel => {
  const draft = useEditDraft();
  const [edited, setEdited] = useState<Edited | null>(null);
  return {
    edited,
    setEdited: (next) => {
      if (next === null) draft.drop();
      setEdited(next);
    },
    typedOf: (id) => {
      const stored = draft.read();
      return stored?.edited?.id === id && typeof stored.edited.version === 'number' && stored.form
        ? { edited: stored.edited, form: restored(stored.form) }
        : null;
    },
  };
};
