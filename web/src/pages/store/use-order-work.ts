import { stateCode } from '@waystation/contract/express-states.ts';
import { useCallback } from 'react';
import type { RefObject } from 'react';
import type { Express } from '@waystation/contract/express.ts';
import type { Search } from '#base/href.ts';
import type { Covered } from '#parcels/orders/entry.ts';
import type { OrderForm } from '#parcels/orders/form.ts';
import { backTo } from '#shell/tabs/open-screen.ts';
import type { SetSearch } from '#shell/tabs/page.ts';
import { useCopiedOrder } from './use-copied-order.ts';
import type { EditedParcel } from './use-edited.ts';
import type { FormState } from './use-form.ts';
import { useOrder } from './use-order.ts';
import { useReopened } from './use-reopened.ts';

interface Options {
  state: FormState;
  parcel: EditedParcel;
  covered: Covered | null;
  several: boolean;
  search: Search;
  setSearch: SetSearch;
  /** Where the hand goes on after an order. */
  paste: RefObject<HTMLElement | null>;
}

/** The way of the form into the queue and back: a new order, a draft, a parcel that is copied or changed, an order that was refused. */
export const useOrderWork = ({ state, parcel: { edited, setEdited, typedOf }, covered, several, search, setSearch, paste }: Options) => {
  const { replace } = state;
  const leaveTaken = (): void => {
    setEdited(null);
    forgetCopied();
    setSearch({ edit: undefined, copy: undefined });
  };
  /** Its content must not stay there as a new order. */
  const leaveEdit = (): void => {
    leaveTaken();
    state.clear();
  };
  const ordering = useOrder({
    state,
    edited,
    several,
    covered,
    onQueued: (saved) => {
      leaveTaken();
      state.goOn();
      if (saved === null) return paste.current?.focus();
      backTo('ExpressTable', { id: saved.id, reprint: saved.state_code === stateCode.awaitingPickup && saved.print_count > 0 ? 1 : undefined });
    },
  });
  const reopened = useReopened({ state, edited, refuse: ordering.refuse, setSearch, readAgain: () => forgetCopied() });
  const { takeTyped, noteRefusal, keepTyped } = reopened;
  const isEdit = search['edit'] !== undefined;
  const onCopied = useCallback(
    (form: OrderForm, express: Express) => {
      keepTyped();
      if (!isEdit) {
        replace(form);
        return setEdited(null);
      }
      // What comes back from the queue is about the parcel as it is now; what was typed before a reload about the version it was typed of.
      const returned = takeTyped(express.id);
      const typed = returned === null ? typedOf(express.id) : null;
      replace(returned?.form ?? typed?.form ?? form);
      setEdited({ ...express, version: typed?.edited.version ?? express.version });
      noteRefusal(returned, express);
    },
    [replace, isEdit, takeTyped, noteRefusal, keepTyped, setEdited, typedOf],
  );
  const onFailed = useCallback(() => setSearch({ edit: undefined, copy: undefined }), [setSearch]);
  const { forget: forgetCopied, ...arrival } = useCopiedOrder({ id: search['edit'] ?? search['copy'], same: isEdit, onCopied, onFailed });
  return { ordering, reopened, arrival, leaveTaken, leaveEdit };
};
