import { stateCode } from '@waystation/contract/express-states.ts';
import { useCallback, useRef, useState } from 'react';
import type { AddressCandidate } from '@waystation/contract/address.ts';
import { expressOptions } from '@waystation/contract/express-calls.ts';
import { errorText } from '@waystation/contract/errors.ts';
import type { Express } from '@waystation/contract/express.ts';
import { confirmed } from '#ui/overlay/notify.tsx';
import { backTo } from '#shell/tabs/open-screen.ts';
import { usePageSearch } from '#shell/tabs/page.ts';
import { useCall } from '#base/query.ts';
import { useTexts } from '#base/texts.ts';
import { numberOf } from '#parcels/parcel-rules.ts';
import { usePrinting } from '#printing/printing.tsx';
import { BlockedNotice } from '#money/blocked-notice.tsx';
import { StationPicker, useSeveralStations } from '#resource/stations/station-picker.tsx';
import { yuan } from '#ui/values/amounts.ts';
import { Button } from '#ui/button.tsx';
import { ErrorPanel } from '#ui/error-panel.tsx';
import { Notice } from '#ui/notice.tsx';
import primitives from '#ui/primitives.module.css';
import { emptyForm } from './store/form.ts';
import type { OrderForm } from './store/form.ts';
import { GoodsCard, Locked } from './store/goods-card.tsx';
import { LatestStrip } from './store/latest-strip.tsx';
import { PartyFields } from './store/party-card.tsx';
import { OrderButtons, PricePanel } from './store/price-panel.tsx';
import { chosenOf, useQuotes } from './store/quotes.ts';
import { ReceiverCard } from './store/receiver-card.tsx';
import styles from './store/store.module.css';
import { useOrderForm } from './store/use-form.ts';
import type { FormState } from './store/use-form.ts';
import { useLeading } from './store/use-leading.ts';
import { useOrder } from './store/use-order.ts';
import type { Edited } from './store/use-order.ts';
import { useStoreKeys } from './store/use-keys.ts';
import { useCopiedOrder } from './store/use-copied-order.ts';

const latestShown = 5;

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
    <section className={`${primitives['card']} ${styles['card']}`} aria-labelledby="store-sender">
      <div className={styles['cardHead']}>
        <h2 id="store-sender">{t('store.sender')}</h2>
        {fixed && <Locked />}
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
          onParty={(next) => state.setParty('sender', next)}
          onChange={(sender) => state.set({ sender })}
        />
      </fieldset>
    </section>
  );
};

/** Ordering a parcel (requirements §2, ExpressStore): paste, see the price with its reasons, order, go on with the next one. */
export const Page = () => {
  const { t, language } = useTexts();
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
  // The carrier has it: what it does not let change is not offered.
  const sent = edited?.state_code === stateCode.awaitingPickup;
  const quotes = useQuotes(several && state.form.station_id === null ? emptyForm : state.form, sent ? edited.id : null);
  const chosen = chosenOf(quotes.data, state.form.promise_id);
  const { replace } = state;
  const leadOn = useLeading(state.form, several);

  const onCopied = useCallback(
    (form: OrderForm, express: Express) => {
      replace(form);
      setEdited(search['edit'] === undefined ? null : express);
    },
    [replace, search],
  );
  useCopiedOrder(search['edit'] ?? search['copy'], search['edit'] !== undefined, onCopied);

  const leaveTaken = (): void => {
    setEdited(null);
    setSearch({ edit: undefined, copy: undefined });
  };
  const ordering = useOrder({
    state,
    edited,
    printing,
    onEdited: setEdited,
    onSaved: (express) => {
      leaveTaken();
      state.goOn();
      backTo('ExpressTable', { id: express.id, reprint: express.print_count > 0 ? 1 : undefined });
    },
    onDone: (express, print) => {
      if (print) setPrintLater([...printLater, express.id]);
      setLatest([express, ...latest.filter(({ id }) => id !== express.id)].slice(0, latestShown));
      leaveTaken();
      if (!state.goOn()) paste.current?.focus();
    },
  });
  const { order, keepDraft } = ordering;
  const noPrint = sent || options.data?.station.allow_print !== 0 ? null : errorText('print_not_allowed', {}, language);
  const clear = async (): Promise<void> => {
    if (!(await confirmed({ title: t('store.clear_question'), ok: t('store.clear'), danger: true }))) return;
    leaveTaken();
    ordering.dismiss();
    state.clear();
  };

  useStoreKeys({ state, order, keepDraft, sent, noPrint });

  return (
    <section className={styles['page']}>
      <h1 className={styles['title']}>{edited ? t('store.edit_title', { number: numberOf(edited) }) : t('menu.store')}</h1>
      {edited && (
        <Notice
          tone="info"
          actions={
            <Button size="small" onClick={leaveTaken}>
              {t('store.edit_leave')}
            </Button>
          }
        >
          {t(sent ? 'store.editing_sent' : 'store.editing')}
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
            onKeepDrafts={(all) => void ordering.keepDrafts(all).then((saved) => saved && setQueue([]))}
            onFilled={leadOn}
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
            refusal={ordering.refusal}
            onChoose={(promise_id) => state.set({ promise_id })}
          >
            <OrderButtons
              busy={ordering.busy}
              noPrint={noPrint}
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
