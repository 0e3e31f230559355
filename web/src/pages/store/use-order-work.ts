import { stateCode } from '@waystation/contract/parcels/express-states.ts';
import { useCallback, useEffect } from 'react';
import type { RefObject } from 'react';
import type { Express } from '@waystation/contract/parcels/express.ts';
import type { Search } from '#base/href.ts';
import type { Covered } from '#parcels/orders/entry.ts';
import type { OrderForm } from '#parcels/orders/form.ts';
import type { Choice, LostChoice } from '#parcels/orders/price.ts';
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
  lost: LostChoice | null;
  shown: Choice | null;
  search: Search;
  setSearch: SetSearch;
  /**
   * True if the next order must have the same pickup window, because other people of the same paste
   * remain.
   */
  keepsPickup: boolean;
  /** The paste field, which gets the focus after an order. */
  paste: RefObject<HTMLElement | null>;
}

/**
 * Runs `act` when the URL contains no parcel, for example after a click on the link in the navbar.
 * An edit continues until the user leaves it. Without an edit, `act` must not change the URL. The
 * reason is that a page that is shown again runs this with its old state, while its URL may already
 * contain another parcel.
 */
const useUnnamed = (isUnnamed: boolean, act: () => void): void =>
  useEffect(() => {
    if (isUnnamed) act();
  }, [isUnnamed, act]);

/**
 * Moves orders from the form into the queue and back: new orders, drafts, copied or edited parcels,
 * and refused orders. A parcel counts as edited from the time it was loaded into the form until the
 * form drops it. During that time the URL contains its id, unless the URL contains another parcel.
 */
export const useOrderWork = ({
  state,
  parcel: { edited, setEdited, typedOf },
  covered,
  several,
  places,
  lost,
  shown,
  search,
  setSearch,
  keepsPickup,
  paste,
}: Options) => {
  const { replace } = state;
  const { wait, take: takeTyped, clear: clearWaiting } = useWaiting();
  const leaveTaken = (): void => {
    setEdited(null);
    clearWaiting();
    clearCopied();
    setSearch({ edit: undefined, copy: undefined, to: undefined, missed: undefined });
  };
  /**
   * Clears the form after an edit. Otherwise the content of the edited parcel could be ordered as a
   * new parcel.
   */
  const leaveEdit = (): void => {
    leaveTaken();
    state.clear();
  };
  const ordering = useOrder({
    state,
    edited,
    several,
    places,
    lost,
    shown,
    covered,
    onQueued: (saved) => {
      leaveTaken();
      const { pickup } = state.form;
      state.goOn();
      if (keepsPickup) state.set({ pickup });
      if (saved === null) return paste.current?.focus();
      backTo('ExpressTable', {
        id: saved.id,
        reprint:
          saved.state_code === stateCode.awaitingPickup && saved.print_count > 0 ? 1 : undefined,
      });
    },
  });
  const reopened = useReopened({
    state,
    edited,
    setEdited,
    refuse: ordering.refuse,
    setSearch,
    wait,
    readAgain: () => clearCopied(),
    leave: leaveTaken,
  });
  const { noteRefusal, keepTyped } = reopened;
  const editedId = edited?.id;
  const isEdit = search['edit'] !== undefined;
  const onCopied = useCallback(
    (form: OrderForm, express: Express) => {
      if (!isEdit) {
        clearWaiting();
        keepTyped();
        replace(form);
        return setEdited(null);
      }
      // If the queue returned the edit, it belongs to the parcel's present version. If it was typed
      // before a reload, it belongs to the version of the parcel at that time.
      const returned = takeTyped(express.id);
      // The form already contains the parcel with the typed changes.
      if (returned === null && express.id === editedId) return;
      keepTyped();
      const typed = returned === null ? typedOf(express.id) : null;
      replace(returned?.form ?? typed?.form ?? form, form);
      setEdited({ ...express, version: typed?.edited.version ?? express.version });
      noteRefusal(returned, express);
    },
    [
      replace,
      isEdit,
      editedId,
      takeTyped,
      clearWaiting,
      noteRefusal,
      keepTyped,
      setEdited,
      typedOf,
    ],
  );
  /** Keeps the form, and restores the URL of its parcel. */
  const stay = useCallback(() => {
    clearWaiting();
    setSearch({ edit: editedId, copy: undefined, to: undefined, missed: undefined });
  }, [clearWaiting, setSearch, editedId]);
  const id = search['edit'] ?? search['copy'];
  const isNamed = namedParcel(id) !== undefined;
  useUnnamed(!isNamed, editedId === undefined ? clearWaiting : stay);
  const held = editedId === undefined ? undefined : String(editedId);
  const { clear: clearCopied, ...arrival } = useCopiedOrder({
    id,
    to: namedParcel(search['to']),
    same: isEdit,
    held,
    onCopied,
    onFailed: stay,
  });
  return { ordering, reopened, arrival, leaveTaken, leaveEdit };
};
