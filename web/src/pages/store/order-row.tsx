import { stateCode } from '@waystation/contract/parcels/express-states.ts';
import { useId } from 'react';
import type { KeyboardEvent } from 'react';
import { useTexts } from '#base/texts.ts';
import type { Say } from '#base/texts.ts';
import type { Language } from '@waystation/contract/base/errors.ts';
import type { OrderEntry } from '#parcels/orders/entry.ts';
import { isOld, isRefused } from '#parcels/orders/entry.ts';
import { heldWords, noteOf } from '#parcels/orders/words.ts';
import { cancelBlocked, numberOf, printBlocked } from '#parcels/parcel-rules.ts';
import { StatusShape, StatusTag, toneOf } from '#parcels/status-tag.tsx';
import { screenHref } from '#shell/tabs/open-screen.ts';
import { Button } from '#ui/button.tsx';
import { Money } from '#ui/values/money.tsx';
import primitives from '#ui/primitives.module.css';
import { CodeText } from '#ui/values/code-text.tsx';
import styles from './orders.module.css';

/** The actions on an order in the queue. */
export interface OrderActs {
  /** Opens the order in the form. The reason of its refusal is shown at the refused field. */
  open: (entry: OrderEntry) => void;
  again: (entry: OrderEntry) => void;
  resend: (entry: OrderEntry) => void;
  remove: (entry: OrderEntry) => void;
  print: (entry: OrderEntry) => void;
  cancel: (entry: OrderEntry) => void;
}

interface Act {
  name: keyof OrderActs;
  words: string;
  /** The reason why the action is impossible now; null if it is possible. */
  blocked: string | null;
}

/** The actions on an order, in the order of their shortcut keys 1, 2 and so on. */
const actsOf = (entry: OrderEntry, t: Say, language: Language): Act[] => {
  const act = (name: keyof OrderActs, words: string, blocked: string | null = null): Act => ({
    name,
    words,
    blocked,
  });
  const { state, failures, problem, parcel } = entry;
  const edit = act('open', t('store.order_state.open'));
  const remove = act('remove', t('store.order_state.remove'));
  if (state === 'waiting') return [edit];
  if (state === 'sending')
    return failures > 0
      ? [act('resend', t('store.order_state.resend')), ...(isOld(entry) ? [remove] : [])]
      : [];
  const [isSave, isDraft] = [entry.work === 'save', entry.work === 'draft'];
  if (state === 'kept')
    return [
      act('again', isSave ? t('store.edit_save') : isDraft ? t('store.draft') : t('store.order')),
      edit,
      remove,
    ];
  if (state === 'refused' && entry.edited !== null) return [edit, remove];
  if (state === 'refused') {
    if (problem?.code === 'price_changed')
      return [act('again', t('store.order_state.new_price')), edit, remove];
    return problem?.code === 'idempotency_key_reused'
      ? [edit, remove]
      : [edit, act('again', t('store.order_state.again')), remove];
  }
  if (parcel === null) return [];
  if (parcel.state_code === stateCode.failed || parcel.state_code === stateCode.draft)
    return [edit, remove];
  const cancel = act('cancel', t('store.again'), cancelBlocked(parcel, language));
  return [act('print', t('common.act.print'), printBlocked(parcel, language)), cancel];
};

/**
 * The state of an order that is stored only in this browser. It looks like the state of a parcel.
 */
const HeldTag = ({ entry }: { entry: OrderEntry }) => {
  const { t } = useTexts();
  const code =
    entry.state === 'refused'
      ? stateCode.failed
      : entry.state === 'kept'
        ? stateCode.draft
        : stateCode.ordering;
  return (
    <span className={styles['tag']} data-tone={toneOf(code)}>
      <StatusShape code={code} />
      {heldWords(entry, t)}
    </span>
  );
};

/**
 * The recipient's name, city and county. If the parcel already has a number, this text is a link to
 * the parcel, and a button copies the number.
 */
const Receiver = ({ entry: { parcel, form }, id }: { entry: OrderEntry; id: string }) => {
  const { name, place } = form.receiver;
  const words = `${name} ${place.city}${place.county}`;
  const number = parcel && numberOf(parcel);
  return parcel === null || number === null ? (
    <span id={id} className={`${primitives['cut']} ${styles['who']}`}>
      {words}
    </span>
  ) : (
    <span className={styles['who']}>
      <CodeText code={number}>
        <a
          id={id}
          className={primitives['cut']}
          href={screenHref('ExpressTable', { id: parcel.id })}
          title={`${number} ${words}`}
        >
          {words}
        </a>
      </CodeText>
    </span>
  );
};

/**
 * One order in one line: state, recipient, destination, price and actions. While the focus is in
 * the row, each action shows its digit key. If a user must act, the reason is on a second line.
 */
export const OrderRow = ({ entry, acts }: { entry: OrderEntry; acts: OrderActs }) => {
  const { t, language } = useTexts();
  const who = useId();
  const { parcel, input } = entry;
  const list = actsOf(entry, t, language);
  const note = noteOf(entry, t, language);
  // A parcel that needs no action before its pickup shows no note, because the note would only
  // contain sorting data.
  const isOnItsWay =
    parcel?.state_code === stateCode.awaitingPickup &&
    parcel.need_retry === 0 &&
    parcel.modifying === 0;
  const quoted =
    input !== null && 'expected_amount' in input ? (input.expected_amount ?? null) : null;
  const amount =
    parcel === null ? quoted : parcel.state_code === stateCode.draft ? null : parcel.post_amount;
  const onKeyDown = (event: KeyboardEvent<HTMLLIElement>): void => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.nativeEvent.isComposing) return;
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      const next =
        event.key === 'ArrowDown'
          ? event.currentTarget.nextElementSibling
          : event.currentTarget.previousElementSibling;
      if (!(next instanceof HTMLElement)) return;
      event.preventDefault();
      return next.focus();
    }
    const act = /^[1-9]$/.test(event.key) ? list[Number(event.key) - 1] : undefined;
    if (act === undefined || act.blocked !== null) return;
    event.preventDefault();
    acts[act.name](entry);
  };
  return (
    <li
      className={styles['order']}
      tabIndex={-1}
      data-order={entry.key}
      data-refused={isRefused(entry) || undefined}
      onKeyDown={onKeyDown}
    >
      <span className={styles['line']} {...(isOnItsWay && { title: note })}>
        {parcel === null ? <HeldTag entry={entry} /> : <StatusTag code={parcel.state_code} />}
        <Receiver entry={entry} id={who} />
        {amount !== null && <Money fen={amount} />}
        {list.length > 0 && (
          <span className={styles['acts']}>
            {list.map(({ name: act, words, blocked }, index) => (
              <Button
                key={act}
                size="small"
                type="link"
                disabled={blocked !== null}
                {...(blocked !== null && { title: blocked })}
                aria-describedby={who}
                aria-keyshortcuts={String(index + 1)}
                onClick={() => acts[act](entry)}
              >
                {words} <kbd>{index + 1}</kbd>
              </Button>
            ))}
          </span>
        )}
      </span>
      {note !== '' && !isOnItsWay && <span className={styles['note']}>{note}</span>}
    </li>
  );
};
