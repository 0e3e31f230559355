import { useCallback, useEffect, useRef, useState } from 'react';
import type { RefObject } from 'react';
import { newIdempotencyKey } from '#base/call.ts';
import { useOrders } from '#parcels/orders/entries.ts';
import { useDraft } from '#shell/session/drafts.ts';
import type { Draft } from '#shell/session/drafts.ts';
import { useUnsaved } from '#shell/tabs/page.ts';
import {
  isTypedAhead,
  nextForm,
  nobody,
  pinnable,
  pinnedAtFirst,
  restored,
  senderOf,
  senderUnder,
} from '#parcels/orders/form.ts';
import { readHabits, usualWeights, withOrder } from './habits.ts';
import type { Habits } from './habits.ts';
import type { Doubts, Options, OrderForm, Party, Pinnable } from '#parcels/orders/form.ts';

interface StoredForm {
  form: OrderForm;
  pins: Pinnable[];
  /**
   * The idempotency key of the order. It is stored with the form. If a response is lost and the
   * page is reloaded, the order is then not created twice.
   */
  key: string;
}

export interface FormState {
  form: OrderForm;
  pins: readonly Pinnable[];
  doubts: Doubts;
  errors: Record<string, string>;
  /**
   * Created once per form. If the request is sent again after its response was lost, the server
   * recognizes this key and does not order twice.
   */
  idempotencyKey: string;
  set: (changes: Partial<OrderForm>) => void;
  /**
   * `next` gets the person that the form contains when it is called. A late response therefore
   * never removes text that was typed in the meantime.
   */
  setParty: (side: 'sender' | 'receiver', next: (now: Party) => Party, doubts?: Doubts) => void;
  togglePin: (pin: Pinnable) => void;
  /** The usual weights of the chosen goods at this station, in kg. */
  usual: readonly string[];
  setErrors: (errors: Record<string, string>) => void;
  /**
   * Called after the form was sent. The order gets the content that the form had when it was sent.
   * Text that was typed later belongs to the next order. Returns true if the form already contains
   * the next receiver.
   */
  goOn: () => boolean;
  /**
   * True if the form contains text that a new form would not contain. It must then not be
   * overwritten.
   */
  isBegun: boolean;
  /**
   * `opened` is the stored content of the parcel that the form edits. The form has unsaved changes
   * only if it differs from that content.
   */
  replace: (form: OrderForm, opened?: OrderForm) => void;
  clear: () => void;
}

const noDoubts: Doubts = {};

const filled = (form: OrderForm): boolean =>
  JSON.stringify({ ...form.receiver }) !== JSON.stringify(nobody) ||
  form.weight !== '' ||
  form.insured !== '' ||
  form.remark !== '' ||
  form.description !== '';

const isSame = (form: OrderForm, opened: OrderForm): boolean =>
  (Object.keys(form) as (keyof OrderForm)[]).every(
    (name) => JSON.stringify(form[name]) === JSON.stringify(opened[name]),
  );

/** The present values of the form, for code that runs after a response has arrived. */
const usePresent = (form: OrderForm): RefObject<OrderForm> => {
  const present = useRef(form);
  useEffect(() => {
    present.current = form;
  }, [form]);
  return present;
};

const useStoredForm = (
  draft: Draft<StoredForm>,
  { form, pins, key }: Omit<StoredForm, 'pins'> & { pins: readonly Pinnable[] },
  isEdit: boolean,
): void => {
  /**
   * The form content that is not stored yet. It is stored after a short delay, so that typing stays
   * fast.
   */
  const unwritten = useRef<StoredForm | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout> | null>(null);
  const write = useCallback(() => {
    if (timer.current !== null) clearTimeout(timer.current);
    timer.current = null;
    if (unwritten.current) draft.write(unwritten.current);
    unwritten.current = null;
  }, [draft]);
  useEffect(() => {
    // The edit of a parcel is not stored as the draft, because it must never come back as a new
    // order.
    if (isEdit) return;
    unwritten.current = { form, pins: [...pins], key };
    timer.current ??= setTimeout(write, 300);
  }, [write, form, pins, key, isEdit]);
  useEffect(() => {
    window.addEventListener('pagehide', write);
    return () => {
      window.removeEventListener('pagehide', write);
      write();
    };
  }, [write]);
};

/** The usual weights of each goods kind in this user's orders. */
const useHabits = (goods: string): { usual: string[]; noteHabit: (form: OrderForm) => void } => {
  const stored = useDraft<Habits>('weights');
  const [habits, setHabits] = useState<Habits>(() => readHabits(stored.read()));
  return {
    usual: usualWeights(habits, goods),
    noteHabit: (form) => {
      const next = withOrder(habits, form.goods, form.weight.trim());
      setHabits(next);
      stored.write(next);
    },
  };
};

/**
 * Continues with the next order if the queue already contains the order of the form. In this case,
 * another window of the user has sent it, or this window did so before a reload.
 */
const useOrderedElsewhere = (idempotencyKey: string, goOn: () => void): void => {
  const isOrdered = useOrders(({ entries }) => entries.some(({ key }) => key === idempotencyKey));
  const next = useRef(goOn);
  useEffect(() => {
    next.current = goOn;
  });
  useEffect(() => {
    if (isOrdered) next.current();
  }, [isOrdered]);
};

/**
 * The state of the order form. Its draft is stored, so that it survives a closed tab, a reload and
 * a logout. `options` fills in the station's default sender once.
 */
export const useOrderForm = (options: Options | undefined, isEdit: boolean): FormState => {
  const draft = useDraft<StoredForm>('store');
  const [form, setForm] = useState<OrderForm>(() => restored(draft.read()?.form ?? null));
  const [pins, setPins] = useState<readonly Pinnable[]>(() =>
    pinnable.filter((pin) => (draft.read()?.pins ?? pinnedAtFirst).includes(pin)),
  );
  const [doubts, setDoubts] = useState<Doubts>(noDoubts);
  const [errors, setErrors] = useState<Record<string, string>>({});
  const [idempotencyKey, setKey] = useState(() => draft.read()?.key ?? newIdempotencyKey());
  const senderFor = useRef<number | null>(form.sender.name === '' ? null : form.station_id);
  const present = usePresent(form);
  const [opened, setOpened] = useState<OrderForm | null>(null);
  useUnsaved(filled(form) && !(opened && isSame(form, opened)));
  const { usual, noteHabit } = useHabits(form.goods);
  useStoredForm(draft, { form, pins, key: idempotencyKey }, isEdit);
  useEffect(() => {
    if (options === undefined || senderFor.current === options.station.id) return;
    senderFor.current = options.station.id;
    setForm((now) => ({
      ...now,
      station_id: options.station.id,
      station_name: options.station.name,
      sender: now.station_id === null ? senderUnder(now.sender, options) : senderOf(options),
      // The address book belongs to the station, so the form's link to the contact is removed.
      receiver: { ...now.receiver, contact_id: null },
      promise_id: '',
      provider: '',
      next_choice: '',
    }));
  }, [options]);
  // A change is applied to the form as it is at the time of the change. When an answer arrives, the
  // user may have changed the form since the request.
  const change = (next: (now: OrderForm) => OrderForm): void => {
    setForm(next);
    // A form with changed content is a different order, so it gets a new key.
    setKey(newIdempotencyKey());
  };
  useOrderedElsewhere(idempotencyKey, () => change((now) => nextForm(now, pins)));
  // Returns the same object if no error is removed. Parts without errors are then not rendered
  // again.
  const clearErrors = (isMended: (name: string) => boolean): void =>
    setErrors((now) =>
      Object.keys(now).some(isMended)
        ? Object.fromEntries(Object.entries(now).filter(([name]) => !isMended(name)))
        : now,
    );
  const start = (next: (now: OrderForm) => OrderForm, keepDoubts = false): void => {
    change(next);
    setOpened(null);
    if (!keepDoubts) setDoubts(noDoubts);
    setErrors({});
  };
  return {
    form,
    pins,
    doubts,
    errors,
    idempotencyKey,
    set: (changes) => {
      change((now) => ({
        ...now,
        // A product that the user chooses in the form applies to the next parcels too.
        ...(changes.promise_id !== undefined && { next_choice: '' }),
        ...changes,
      }));
      const named = Object.keys(changes);
      clearErrors((name) => named.some((one) => name === one || name.startsWith(`${one}.`)));
    },
    setParty: (side, next, doubted = noDoubts) => {
      change((now) => ({ ...now, [side]: next(now[side]) }));
      if (side === 'receiver') setDoubts(doubted);
      clearErrors((name) => name.startsWith(`${side}.`));
    },
    togglePin: (pin) =>
      setPins((now) => (now.includes(pin) ? now.filter((one) => one !== pin) : [...now, pin])),
    usual,
    setErrors,
    isBegun: JSON.stringify(form) !== JSON.stringify(nextForm(form, pins)),
    goOn: () => {
      noteHabit(form);
      const ahead = isTypedAhead(present.current, form);
      start((now) => nextForm(now, pins, form), ahead);
      return ahead;
    },
    replace: (next, content) => {
      senderFor.current = next.station_id;
      start(() => next);
      setOpened(content ?? null);
    },
    clear: () => start((now) => nextForm(now, [])),
  };
};
