import { stateCode } from '@waystation/contract/express-states.ts';
import { useCallback, useEffect } from 'react';
import type { RefObject } from 'react';
import type { Express } from '@waystation/contract/express.ts';
import type { Search } from '#base/href.ts';
import type { Covered } from '#parcels/orders/entry.ts';
import type { OrderForm } from '#parcels/orders/form.ts';
import { backTo } from '#shell/tabs/open-screen.ts';
import type { SetSearch } from '#shell/tabs/page.ts';
import { namedParcel, useCopiedOrder } from './use-copied-order.ts';
import type { EditedParcel } from './use-edited.ts';
import type { FormState } from './use-form.ts';
import { useOrder } from './use-order.ts';
import type { PlaceProblems } from './use-places.ts';
import { useReopened } from './use-reopened.ts';
import { useWaiting } from './use-waiting.ts';

interface Options {
  state: FormState;
  parcel: EditedParcel;
  covered: Covered | null;
  several: boolean;
  places: PlaceProblems;
  search: Search;
  setSearch: SetSearch;
  /** Where the hand goes on after an order. */
  paste: RefObject<HTMLElement | null>;
}

/**
 * An address without a parcel, such as the one of the navbar's link: the edit goes on until it is left. Without an edit the address must be let alone: a page
 * that is shown again runs this as it was hidden, when the address may name a parcel already.
 */
const useUnnamed = (isUnnamed: boolean, act: () => void): void =>
  useEffect(() => {
    if (isUnnamed) act();
  }, [isUnnamed, act]);

/**
 * The way of the form into the queue and back: a new order, a draft, a parcel that is copied or changed, an order that was refused. A parcel is
 * edited from when it was read until it is queued, left or replaced by what was read; where the address does not lead to another one, it names that parcel.
 */
export const useOrderWork = ({ state, parcel: { edited, setEdited, typedOf }, covered, several, places, search, setSearch, paste }: Options) => {
  const { replace } = state;
  const { wait, take: takeTyped, forget: forgetWaiting } = useWaiting();
  const leaveTaken = (): void => {
    setEdited(null);
    forgetWaiting();
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
    places,
    covered,
    onQueued: (saved) => {
      leaveTaken();
      state.goOn();
      if (saved === null) return paste.current?.focus();
      backTo('ExpressTable', { id: saved.id, reprint: saved.state_code === stateCode.awaitingPickup && saved.print_count > 0 ? 1 : undefined });
    },
  });
  const reopened = useReopened({
    state,
    edited,
    setEdited,
    refuse: ordering.refuse,
    setSearch,
    wait,
    readAgain: () => forgetCopied(),
    leave: leaveTaken,
  });
  const { noteRefusal, keepTyped } = reopened;
  const editedId = edited?.id;
  const isEdit = search['edit'] !== undefined;
  const onCopied = useCallback(
    (form: OrderForm, express: Express) => {
      if (!isEdit) {
        forgetWaiting();
        keepTyped();
        replace(form);
        return setEdited(null);
      }
      // What comes back from the queue is about the parcel as it is now; what was typed before a reload about the version it was typed of.
      const returned = takeTyped(express.id);
      // It is in the form already, with what was typed.
      if (returned === null && express.id === editedId) return;
      keepTyped();
      const typed = returned === null ? typedOf(express.id) : null;
      replace(returned?.form ?? typed?.form ?? form);
      setEdited({ ...express, version: typed?.edited.version ?? express.version });
      noteRefusal(returned, express);
    },
    [replace, isEdit, editedId, takeTyped, forgetWaiting, noteRefusal, keepTyped, setEdited, typedOf],
  );
  /** The form stays as it is, and so does what the address says of it. */
  const stay = useCallback(() => {
    forgetWaiting();
    setSearch({ edit: editedId, copy: undefined });
  }, [forgetWaiting, setSearch, editedId]);
  const id = search['edit'] ?? search['copy'];
  const isNamed = namedParcel(id) !== undefined;
  useUnnamed(!isNamed, editedId === undefined ? forgetWaiting : stay);
  const held = editedId === undefined ? undefined : String(editedId);
  const { forget: forgetCopied, ...arrival } = useCopiedOrder({ id, same: isEdit, held, onCopied, onFailed: stay });
  return { ordering, reopened, arrival, leaveTaken, leaveEdit };
};
