import { useEffect, useState } from 'react';
import type { ClipboardEvent, KeyboardEvent, ReactNode, Ref } from 'react';
import { longestPaste } from '@waystation/contract/parcels/address.ts';
import { parseAddress } from '@waystation/contract/parcels/address-calls.ts';
import { errorWords } from '#base/api-error.ts';
import { call } from '#base/call.ts';
import { notify } from '#ui/overlay/notify.tsx';
import { clearPassedRecipient, usePassedRecipient } from '#parcels/pasted-recipient.ts';
import { useTexts } from '#base/texts.ts';
import { useSteady } from '#base/use-steady.ts';
import { useActions } from '#shell/submit/use-actions.ts';
import { Button } from '#ui/button.tsx';
import { TextField } from '#ui/fields/text-field.tsx';
import { idleComponent } from '#ui/lazy.tsx';
import primitives from '#ui/primitives.module.css';
import { doubtsOf, isNobody, receiverFrom } from '#parcels/orders/form.ts';
import type { Doubts, Party } from '#parcels/orders/form.ts';
import type { BatchRow, TroubleOfRow } from './batch.ts';
import { PartyFields } from './party-card.tsx';
import styles from './store.module.css';
import type { BatchQuotes } from './use-batch-quotes.ts';
import type { FormState } from './use-form.ts';
import type { PlaceProblem } from './use-places.ts';

const BatchList = idleComponent(async () => (await import('./batch-list.tsx')).BatchList);

interface Props {
  state: FormState;
  pasteRef: Ref<HTMLInputElement & HTMLTextAreaElement>;
  /** The rows of a paste that contains several people. */
  queue: readonly BatchRow[];
  prices: BatchQuotes;
  onQueue: (queue: readonly BatchRow[]) => void;
  /**
   * The pickup window for a list of pasted people, and the actions on the whole list. Null if there
   * is no list.
   */
  list: {
    pickup: ReactNode;
    troubleOf: TroubleOfRow;
    onOrder: () => void;
    onKeepDrafts: (queue: readonly BatchRow[]) => void;
  };
  book: { station_id: number | null; closed: boolean };
  placeProblem: PlaceProblem | null;
  /** Called before another receiver is filled into the form. */
  onReplace: (next: Party) => void;
  /** Called after the receiver was recognized. It moves the focus to the next field. */
  onFilled: () => void;
  /** Called with true while a pasted text is being recognized, and with false afterwards. */
  onReading: (reading: boolean) => void;
  /** The notice about earlier parcels to the receiver's phone. */
  sentBefore: ReactNode;
}

/**
 * True if a pasted text looks like a person's details: it has several lines, or a phone number
 * beside Chinese words. Otherwise it is the content of one field.
 */
export const isBlock = (text: string): boolean => {
  const trimmed = text.trim();
  return (
    /\n\s*\S/.test(trimmed) ||
    (/\d[\d -]{6,}/.test(trimmed) && (trimmed.match(/\p{Script=Han}/gu) ?? []).length >= 4)
  );
};

/**
 * The uncertain parts that remain after the user has typed this part. If this part was not
 * uncertain, returns the same object.
 */
const without = (doubts: Doubts, part: keyof Doubts): Doubts => {
  const { [part]: settled, ...left } = doubts;
  return settled === undefined ? doubts : left;
};

/** The state of a pasted text and of its recognition. */
const usePasted = ({
  state: { setParty },
  queue,
  onQueue,
  onReplace,
  onFilled,
  onReading,
}: Pick<Props, 'state' | 'queue' | 'onQueue' | 'onReplace' | 'onFilled' | 'onReading'>) => {
  const { t, language } = useTexts();
  const [pasted, setPasted] = useState('');
  const { busy: running, run } = useActions<'read'>();
  const busy = running.size > 0;
  const [words, setWords] = useState<string | undefined>(undefined);
  const read = async (input: string): Promise<void> => {
    const text = input.trim();
    if (text === '') return;
    onReading(true);
    const fill = async (): Promise<void> => {
      setWords(undefined);
      const { candidates } = await call(parseAddress, { text });
      const [first, ...others] = candidates;
      if (first === undefined) return setWords(t('store.parse_none'));
      if (others.length > 0) {
        onQueue([...queue, ...candidates.map((candidate) => ({ candidate, weight: '' }))]);
        return setPasted('');
      }
      const doubts = doubtsOf(first);
      onReplace(receiverFrom(first));
      setParty('receiver', () => receiverFrom(first), doubts);
      setPasted('');
      if (Object.keys(doubts).length > 0) notify.info(t('store.check'));
      onFilled();
    };
    await run('read', fill, (error) => setWords(errorWords(error, language)));
  };
  const passed = usePassedRecipient();
  useEffect(() => {
    if (passed === null) return;
    clearPassedRecipient();
    setPasted(passed.slice(0, longestPaste));
    void read(passed.slice(0, longestPaste));
    // oxlint-disable-next-line react/exhaustive-deps -- once for each text that is passed
  }, [passed]);
  useEffect(() => onReading(busy), [onReading, busy]);
  return { pasted, setPasted, busy, words, read: useSteady(read) };
};

/**
 * The card of the receiver, which begins with the field for pasting. A pasted text is split into
 * the fields, and uncertain fields are marked.
 */
export const ReceiverCard = ({
  state,
  pasteRef,
  queue,
  prices,
  onQueue,
  list,
  book,
  placeProblem,
  onReplace,
  onFilled,
  onReading,
  sentBefore,
}: Props) => {
  const { t } = useTexts();
  const { form, doubts, errors, setParty } = state;
  const { pasted, setPasted, busy, words, read } = usePasted({
    state,
    queue,
    onQueue,
    onReplace,
    onFilled,
    onReading,
  });
  // The list of pasted people is shown instead of the single receiver until one of them is moved
  // into the form.
  const isList = queue.length > 0 && isNobody(form.receiver);
  const onPasteBlock = (event: ClipboardEvent<HTMLElement>): void => {
    const text = event.clipboardData.getData('text/plain');
    if (
      !(event.target instanceof HTMLInputElement) ||
      !event.target.name.startsWith('receiver.') ||
      !isBlock(text)
    )
      return;
    event.preventDefault();
    void read(text.slice(0, longestPaste));
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    void read(pasted);
  };
  return (
    <section
      className={`${primitives['card']} ${styles['card']}`}
      aria-labelledby="store-receiver"
      onPaste={onPasteBlock}
    >
      <h2 id="store-receiver">{t('store.receiver')}</h2>
      <div className={styles['paste']}>
        <TextField
          ref={pasteRef}
          label={t('store.paste')}
          value={pasted}
          onChange={(text) => setPasted(text.slice(0, longestPaste))}
          onKeyDown={onKeyDown}
          lines={2}
          placeholder={t('store.paste_hint')}
          error={words}
          autoFocus
        />
        <Button onClick={() => void read(pasted)} loading={busy} disabled={pasted.trim() === ''}>
          {t('store.parse')}
        </Button>
      </div>
      {queue.length > 0 && (
        <BatchList
          state={state}
          rows={queue}
          prices={prices}
          troubleOf={list.troubleOf}
          onRows={onQueue}
          onKeepDrafts={list.onKeepDrafts}
          onOrder={list.onOrder}
          onFilled={onFilled}
          pickup={isList ? list.pickup : null}
        />
      )}
      {!isList && (
        <PartyFields
          side="receiver"
          party={form.receiver}
          doubts={doubts}
          errors={errors}
          placeProblem={placeProblem}
          book={book}
          onParty={(next) => setParty('receiver', next)}
          onPlace={onFilled}
          onChange={(changes, touched) =>
            setParty('receiver', (now) => ({ ...now, ...changes }), without(doubts, touched))
          }
        />
      )}
      {sentBefore}
    </section>
  );
};
