import { stateCode } from '@waystation/contract/express-states.ts';
import { useId } from 'react';
import type { KeyboardEvent } from 'react';
import { useTexts } from '#base/texts.ts';
import type { Say } from '#base/texts.ts';
import type { Language } from '@waystation/contract/errors.ts';
import type { OrderEntry } from '#parcels/orders/entry.ts';
import { isOld, isRefused } from '#parcels/orders/entry.ts';
import { heldWords, noteOf } from '#parcels/orders/words.ts';
import { cancelBlocked, printBlocked } from '#parcels/parcel-rules.ts';
import { StatusShape, StatusTag, toneOf } from '#parcels/status-tag.tsx';
import { screenHref } from '#shell/tabs/open-screen.ts';
import { Button } from '#ui/button.tsx';
import { Money } from '#ui/values/money.tsx';
import { Waybill } from '#ui/values/waybill.tsx';
import primitives from '#ui/primitives.module.css';
import { CodeText } from '#ui/values/code-text.tsx';
import styles from './orders.module.css';

/** What can be done with an order of the queue. */
export interface OrderActs {
  /** Into the form, with its reason at the field. */
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
  /** Why it cannot be done now; null: it can. */
  blocked: string | null;
}

/** In the order of their keys, 1 first. */
const actsOf = (entry: OrderEntry, t: Say, language: Language): Act[] => {
  const act = (name: keyof OrderActs, words: string, blocked: string | null = null): Act => ({ name, words, blocked });
  const { state, failures, problem, parcel } = entry;
  const edit = act('open', t('store.order_state.open'));
  const remove = act('remove', t('store.order_state.remove'));
  if (state === 'waiting') return [edit];
  if (state === 'sending') return failures > 0 ? [act('resend', t('store.order_state.resend')), ...(isOld(entry) ? [remove] : [])] : [];
  const [isSave, isDraft] = [entry.work === 'save', entry.work === 'draft'];
  if (state === 'kept') return [act('again', isSave ? t('store.edit_save') : isDraft ? t('store.draft') : t('store.order')), edit, remove];
  if (state === 'refused' && entry.edited !== null) return [edit, remove];
  if (state === 'refused') {
    if (problem?.code === 'price_changed') return [act('again', t('store.order_state.new_price')), edit, remove];
    return problem?.code === 'idempotency_key_reused' ? [edit, remove] : [edit, act('again', t('store.order_state.again')), remove];
  }
  if (parcel === null) return [];
  if (parcel.state_code === stateCode.failed || parcel.state_code === stateCode.draft) return [edit, remove];
  const cancel = act('cancel', t('store.again'), cancelBlocked(parcel, language));
  return [act('print', t('common.act.print'), printBlocked(parcel, language)), cancel];
};

/** The state of an order that only this browser has, in the look of a parcel's. */
const HeldTag = ({ entry }: { entry: OrderEntry }) => {
  const { t } = useTexts();
  const code = entry.state === 'refused' ? stateCode.failed : entry.state === 'kept' ? stateCode.draft : stateCode.ordering;
  return (
    <span className={styles['tag']} data-tone={toneOf(code)}>
      <StatusShape code={code} />
      {heldWords(entry, t)}
    </span>
  );
};

const Number = ({ entry: { parcel } }: { entry: OrderEntry }) =>
  parcel === null ? null : (
    <CodeText code={parcel.delivery_id ?? parcel.order_id}>
      <a href={screenHref('ExpressTable', { id: parcel.id })}>
        {parcel.delivery_id === null ? parcel.order_id : <Waybill number={parcel.delivery_id} copy={false} />}
      </a>
    </CodeText>
  );

/** One order: who, where to, how it stands, what it costs and what can be done, each with its digit while the focus is in the row. */
export const OrderRow = ({ entry, acts }: { entry: OrderEntry; acts: OrderActs }) => {
  const { t, language } = useTexts();
  const who = useId();
  const { parcel, form, input } = entry;
  const { name, place } = form.receiver;
  const list = actsOf(entry, t, language);
  const note = noteOf(entry, t, language);
  const quoted = input !== null && 'expected_amount' in input ? (input.expected_amount ?? null) : null;
  const amount = parcel === null ? quoted : parcel.state_code === stateCode.draft ? null : parcel.post_amount;
  const onKeyDown = (event: KeyboardEvent<HTMLLIElement>): void => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.nativeEvent.isComposing) return;
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      const next = event.key === 'ArrowDown' ? event.currentTarget.nextElementSibling : event.currentTarget.previousElementSibling;
      if (!(next instanceof HTMLElement)) return;
      event.preventDefault();
      return next.focus();
    }
    const act = /^[1-9]$/.test(event.key) ? list[globalThis.Number(event.key) - 1] : undefined;
    if (act === undefined || act.blocked !== null) return;
    event.preventDefault();
    acts[act.name](entry);
  };
  return (
    <li className={styles['order']} tabIndex={-1} data-order={entry.key} data-refused={isRefused(entry) || undefined} onKeyDown={onKeyDown}>
      <span className={styles['line']}>
        {parcel === null ? <HeldTag entry={entry} /> : <StatusTag code={parcel.state_code} />}
        <span id={who} className={`${primitives['cut']} ${styles['who']}`}>
          {name} {place.city}
          {place.county}
        </span>
        {amount !== null && <Money fen={amount} />}
      </span>
      {note !== '' && <span className={styles['note']}>{note}</span>}
      {(list.length > 0 || parcel !== null) && (
        <span className={styles['acts']}>
          <Number entry={entry} />
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
    </li>
  );
};
