import { useCallback, useMemo, useRef, useState } from 'react';
import type { AddressCandidate } from '@waystation/contract/address.ts';
import { expressOptions } from '@waystation/contract/express-calls.ts';
import type { Express } from '@waystation/contract/express.ts';
import { confirmed } from '#app/notify.tsx';
import { usePageSearch } from '#app/page.ts';
import { useCall } from '#app/query.ts';
import { useShortcuts } from '#app/shortcuts.ts';
import { useTexts } from '#app/texts.ts';
import { usePrinting } from '#parts/printing.tsx';
import { BlockedNotice } from '#parts/blocked-notice.tsx';
import { StationPicker, useSeveralStations } from '#parts/station-picker.tsx';
import { yuan } from '#ui/amounts.ts';
import { Button } from '#ui/button.tsx';
import { ErrorPanel } from '#ui/error-panel.tsx';
import { Notice } from '#ui/notice.tsx';
import { emptyForm } from './store/form.ts';
import type { OrderForm } from './store/form.ts';
import { GoodsCard } from './store/goods-card.tsx';
import { LatestStrip } from './store/latest-strip.tsx';
import { PartyFields } from './store/party-card.tsx';
import { OrderButtons, PricePanel, useQuotes } from './store/price-panel.tsx';
import { ReceiverCard } from './store/receiver-card.tsx';
import styles from './store/store.module.css';
import { useOrderForm } from './store/use-form.ts';
import type { FormState } from './store/use-form.ts';
import { useOrder } from './store/use-order.ts';
import type { Edited } from './store/use-order.ts';
import { useTaken } from './store/use-taken.ts';

const latestShown = 5;

/** The offer that would be ordered: the one picked while it can be had, else the cheapest. */
const chosenOf = (quotes: ReturnType<typeof useQuotes>['data'], promise_id: string) => {
  const offered = quotes?.quotes.filter((quote) => quote.selectable === 1) ?? [];
  return offered.find((quote) => quote.promise_id === promise_id) ?? offered.find((quote) => quote.cheapest === 1) ?? offered[0] ?? null;
};

interface SenderProps {
  state: FormState;
  options: { available: number; has_amount: number } | undefined;
  several: boolean;
  /** The carrier has the parcel: who sends it stays. */
  fixed: boolean;
}

const SenderCard = ({ state, options, several, fixed }: SenderProps) => {
  const { t } = useTexts();
  return (
    <section className={styles['card']} aria-labelledby="store-sender">
      <div className={styles['cardHead']}>
        <h2 id="store-sender">{t('store.sender')}</h2>
        {options && (
          <span className={styles['calm']}>
            {options.has_amount === 1 ? t('store.sender_line', { amount: yuan(options.available) }) : t('store.post_paid')}
          </span>
        )}
      </div>
      <fieldset className={styles['plain']} disabled={fixed} aria-label={t('store.sender')}>
        {several && (
          <StationPicker
            label={t('common.station')}
            value={state.form.station_id}
            shown={state.form.station_name}
            onChange={(station_id, station_name) => state.set({ station_id, station_name })}
            required
            error={state.errors['station_id']}
          />
        )}
        <PartyFields
          side="sender"
          party={state.form.sender}
          errors={state.errors}
          book={{ station_id: several ? state.form.station_id : null, closed: several && state.form.station_id === null }}
          onParty={(sender) => state.set({ sender })}
          onChange={(sender) => state.set({ sender })}
        />
      </fieldset>
    </section>
  );
};

/** Ordering a parcel (requirements §2, ExpressStore): paste, see the price with its reasons, order, go on with the next one. */
export const Page = () => {
  const { t } = useTexts();
  const [search, setSearch] = usePageSearch();
  const several = useSeveralStations();
  const [station, setStation] = useState<number | null>(null);
  const [latest, setLatest] = useState<readonly Express[]>([]);
  const [printLater, setPrintLater] = useState<readonly number[]>([]);
  const [queue, setQueue] = useState<readonly AddressCandidate[]>([]);
  const [edited, setEdited] = useState<Edited | null>(null);
  const paste = useRef<HTMLInputElement & HTMLTextAreaElement>(null);
  const printing = usePrinting();
  const options = useCall(expressOptions, several && station === null ? null : { ...(station !== null && { station_id: station }) }, { quiet: true });
  const state = useOrderForm(options.data);
  if (several && state.form.station_id !== station) setStation(state.form.station_id);
  const quotes = useQuotes(several && state.form.station_id === null ? emptyForm : state.form);
  const chosen = chosenOf(quotes.data, state.form.promise_id);
  const { replace } = state;

  const onTaken = useCallback(
    (form: OrderForm, express: Express) => {
      replace(form);
      setEdited(search['edit'] === undefined ? null : express);
    },
    [replace, search],
  );
  useTaken(search['edit'] ?? search['copy'], search['edit'] !== undefined, onTaken);

  const leaveTaken = (): void => {
    setEdited(null);
    setSearch({ edit: undefined, copy: undefined });
  };
  const ordering = useOrder({
    state,
    chosen,
    edited,
    printing,
    onEdited: setEdited,
    onDone: (express, print) => {
      if (print) setPrintLater([...printLater, express.id]);
      setLatest([express, ...latest.filter(({ id }) => id !== express.id)].slice(0, latestShown));
      leaveTaken();
      state.goOn();
      paste.current?.focus();
    },
  });
  const { order, keepDraft } = ordering;
  // The carrier has it: what it does not let change is not offered.
  const sent = edited?.state_code === 100;
  const clear = async (): Promise<void> => {
    if (!(await confirmed({ title: t('store.clear_question'), ok: t('store.clear'), danger: true }))) return;
    leaveTaken();
    state.clear();
  };

  useShortcuts(
    useMemo(
      () => [
        { keys: 'F8', label: sent ? t('store.edit_save') : t('store.order'), run: () => order(false), whileTyping: true },
        ...(sent ? [] : [{ keys: 'F9', label: t('store.order_print'), run: () => order(true), whileTyping: true }]),
        { keys: 'mod+s', label: sent ? t('store.edit_save') : t('store.draft'), run: () => (sent ? order(false) : keepDraft()), whileTyping: true },
      ],
      [t, order, keepDraft, sent],
    ),
  );

  return (
    <section className={styles['page']}>
      <h1 className={styles['title']}>{t('menu.store')}</h1>
      {edited && (
        <Notice
          tone="info"
          actions={
            <Button size="small" onClick={leaveTaken}>
              {t('store.edit_leave')}
            </Button>
          }
        >
          {t(sent ? 'store.editing_sent' : 'store.editing', { number: edited.order_id })}
        </Notice>
      )}
      {options.data?.station.blocked === 1 && <BlockedNotice station={options.data.station} />}
      {options.error && <ErrorPanel error={options.error} onRetry={options.refetch} />}
      <div className={styles['columns']}>
        <div className={styles['column']}>
          <ReceiverCard
            state={state}
            pasteRef={paste}
            queue={queue}
            onQueue={setQueue}
            book={{ station_id: several ? state.form.station_id : null, closed: several && state.form.station_id === null }}
            onKeepDrafts={(all) => void ordering.keepDrafts(all).then((kept) => kept && setQueue([]))}
            onFilled={() => document.querySelector<HTMLElement>('[name="weight"]')?.focus()}
          />
          <SenderCard state={state} options={options.data?.station} several={several} fixed={sent} />
        </div>
        <div className={styles['column']}>
          <GoodsCard state={state} options={options.data} fixed={sent} />
          <LatestStrip latest={latest} printing={printing} printLater={printLater} />
        </div>
        <div className={`${styles['column']} ${styles['sticky']}`}>
          <PricePanel
            quotes={quotes}
            needsStation={several && state.form.station_id === null}
            chosen={chosen}
            error={state.errors['promise_id']}
            onChoose={(promise_id) => state.set({ promise_id })}
          >
            <OrderButtons
              busy={ordering.busy}
              editing={edited === null ? null : sent ? 'sent' : 'unsent'}
              onOrder={order}
              onDraft={keepDraft}
              onClear={() => void clear()}
            />
          </PricePanel>
        </div>
      </div>
      {printing.dialogs}
    </section>
  );
};
