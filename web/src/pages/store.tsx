import { changesPart, isProvider } from '@waystation/contract/network/provider.ts';
import type { CarrierPart } from '@waystation/contract/network/provider.ts';
import { stateCode } from '@waystation/contract/parcels/express-states.ts';
import { useEffect, useRef, useState } from 'react';
import {
  dueOfRows,
  keepRows,
  offerOf,
  orderRows,
  peopleByOffer,
  sampleForm,
} from './store/batch.ts';
import type { BatchRow } from './store/batch.ts';
import { useBatch } from './store/use-batch.ts';
import { useBatchQuotes } from './store/use-batch-quotes.ts';
import { expressOptions } from '@waystation/contract/parcels/express-calls.ts';
import { errorText } from '#base/error-text.ts';
import { confirmed } from '#ui/overlay/notify.tsx';
import { usePageSearch } from '#shell/tabs/page.ts';
import { useUser } from '#shell/session/session.ts';
import { useCall } from '#base/query.ts';
import { useTexts } from '#base/texts.ts';
import { useSteady } from '#base/use-steady.ts';
import { numberOf } from '#parcels/parcel-rules.ts';
import { PrinterLine } from '#printing/printer-line.tsx';
import { usePrinting } from '#printing/printing.tsx';
import { useSeveralStations } from '#resource/stations/station-picker.tsx';
import { ErrorPanel } from '#ui/error-panel.tsx';
import { lazyComponent } from '#ui/lazy.tsx';
import { emptyForm, isNobody } from '#parcels/orders/form.ts';
import { GoodsCard } from './store/goods-card.tsx';
import { OrdersList } from './store/orders-list.tsx';
import { OrderBar } from './store/order-bar.tsx';
import { PickupField } from './store/pickup-field.tsx';
import { sharedWindows, windowTrouble } from '#parcels/offered-windows.ts';
import { windowOfParcel } from '#parcels/pickup-window.ts';
import { PricePanel } from './store/price-panel.tsx';
import { useQuotes } from './store/quotes.ts';
import { useAfterReading } from './store/use-after-reading.ts';
import { chosenOf, lostChoice } from '#parcels/orders/price.ts';
import { startOrders } from '#parcels/orders/follow.ts';
import { ReceiverCard } from './store/receiver-card.tsx';
import { SenderCard } from './store/sender-card.tsx';
import { SentBefore } from './store/sent-before.tsx';
import styles from './store/store.module.css';
import { useOrderForm } from './store/use-form.ts';
import { useLeading } from './store/use-leading.ts';
import { coverageKey } from './store/cover-input.ts';
import { useCoverages } from './store/use-coverage.ts';
import { useOrderWork } from './store/use-order-work.ts';
import { usePlaces } from './store/use-places.ts';
import { usePresses } from './store/use-presses.ts';
import { useReturned } from './store/use-returned.ts';
import { useEdited, useStoredEdit } from './store/use-edited.ts';
import { useStationOfAddress } from './store/use-station-of-address.ts';
import { useStoreKeys } from './store/use-keys.ts';

const BlockedNotice = lazyComponent(
  async () => (await import('#money/blocked-notice.tsx')).BlockedNotice,
);

const BatchOffers = lazyComponent(
  async () => (await import('./store/batch-offers.tsx')).BatchOffers,
);

const EditNotice = lazyComponent(async () => (await import('./store/choice-notes.tsx')).EditNotice);

/**
 * The page for ordering parcels (requirements §2, ExpressStore). The user pastes a recipient,
 * checks the price and its reasons, orders, and continues with the next parcel.
 */
export const Page = () => {
  const { t, language } = useTexts();
  const [search, setSearch] = usePageSearch();
  const several = useSeveralStations();
  const [station, setStation] = useState<number | null>(null);
  const [queue, setQueue] = useBatch();
  const paste = useRef<HTMLInputElement & HTMLTextAreaElement>(null);
  const printing = usePrinting();
  const options = useCall(
    expressOptions,
    several && station === null ? null : { ...(station !== null && { station_id: station }) },
    { quiet: true },
  );
  const parcel = useEdited();
  const { edited } = parcel;
  const state = useOrderForm(options.data, search['edit'] !== undefined || edited !== null);
  const { form, errors, set } = state;
  useStoredEdit(edited, form);
  if (several && form.station_id !== station) setStation(form.station_id);
  useStationOfAddress(state, several && edited === null, search['station'], setSearch);
  // True if the carrier already has the edited parcel. Some of its fields can no longer be changed.
  const sent = edited?.state_code === stateCode.awaitingPickup;
  const quotes = useQuotes(
    several && form.station_id === null ? emptyForm : form,
    sent ? edited.id : null,
  );
  const chosen = chosenOf(quotes.data, form);
  const lost = lostChoice(quotes.data, form);
  const prices = useBatchQuotes(form, queue, several && form.station_id === null);
  const { id: userId } = useUser();
  useEffect(() => startOrders(userId), [userId]);
  const leadOn = useLeading(form, state.doubts, several);
  const places = usePlaces(form);

  // A list of several people is ordered with a single pickup window. The windows to choose from are
  // those that were offered for one of the people.
  const isList = edited === null && queue.length > 0 && isNobody(form.receiver);
  const sample = isList && (!several || form.station_id !== null) ? sampleForm(form, queue) : form;
  const sampled = useQuotes(isList ? sample : emptyForm, null);
  const asked = isList ? chosenOf(sampled.data, sample) : chosen;
  const provider = asked?.provider;
  const isFixed = (part: CarrierPart): boolean =>
    sent && !(isProvider(form.provider) && changesPart(form.provider, part));
  const isWindowFixed = isFixed('pickup');
  const own = sent ? windowOfParcel(edited) : '';
  const isWindowKept = isWindowFixed || (sent && form.pickup === own);
  const { coverages, askIfOld } = useCoverages(
    sample,
    {
      quotes: (isList ? sampled : quotes).data?.quotes ?? [],
      chosen: asked,
      people: isList ? peopleByOffer(form, queue, prices.of) : [],
    },
    several && form.station_id === null,
    edited !== null && !isWindowFixed,
  );
  const coverageIn = (answers: typeof coverages) =>
    (provider !== undefined && answers.get(provider)) || null;
  const coverage = coverageIn(coverages);
  const keyOf = (row: BatchRow): string => {
    const offer = offerOf(form, row, prices.of);
    return offer === null ? '' : coverageKey(offer);
  };
  const troubleIn = (answers: typeof coverages) => (row: BatchRow) =>
    windowTrouble(form.pickup, answers.get(keyOf(row))?.pickup_windows);
  // The windows that are offered for any row of the list. The rows may have different carriers and
  // products.
  const offered = [...new Set(queue.map(keyOf))].flatMap((key) => {
    const windows = coverages.get(key)?.pickup_windows;
    return windows?.length ? [windows] : [];
  });
  const { ordering, reopened, arrival, leaveTaken, leaveEdit } = useOrderWork({
    state,
    parcel,
    covered: isList ? null : coverage,
    several,
    places,
    // While the prices are outdated, no product is shown as unavailable. The order is checked when
    // its price arrives.
    lost: quotes.isCurrent ? lost : null,
    shown: chosen && {
      promise_id: quotes.isCurrent ? chosen.promise_id : '',
      provider: chosen.provider,
    },
    search,
    setSearch,
    keepsPickup: queue.length > 0,
    paste,
  });
  const onReplace = useReturned({
    state,
    sentKey: ordering.sentKey,
    isFree: () =>
      edited === null &&
      search['edit'] === undefined &&
      search['copy'] === undefined &&
      queue.length === 0 &&
      !paste.current?.value.trim(),
    open: reopened.open,
    keepTyped: reopened.keepTyped,
    dismiss: ordering.dismiss,
  });
  const orderList = (print: boolean, answers: typeof coverages): void => {
    const left = orderRows(form, queue, print, {
      quotesOf: prices.of,
      troubleOf: troubleIn(answers),
    });
    setQueue(left);
    ordering.dismiss();
    // Clears the pickup window after the last person was ordered, as it is cleared after a single
    // order.
    if (left.length === 0 && isNobody(form.receiver)) set({ pickup: '' });
  };
  const isMissed =
    edited === null && search['missed'] !== undefined && search['copy'] !== undefined;
  const { press, waiting } = usePresses({
    content: JSON.stringify([form, queue]),
    isPricing: queue.some(prices.isPending),
    coverages,
    askIfOld: () => (form.pickup === '' || isWindowKept ? null : askIfOld()),
    say: (words) => ordering.refuse(words, {}),
    // Orders nothing if the latest coverage answers show that the carrier no longer offers the
    // chosen pickup window.
    order: ({ print, list }, answers) => {
      if (list) return orderList(print, answers);
      const covered = coverageIn(answers);
      // If the chosen pickup was missed, a key press does not order with the missed window again.
      // The user must choose the next window.
      if (isMissed && form.pickup === '' && (!covered || covered.pickup_windows?.length))
        return ordering.refuse(t('store.fix', { count: 1 }), { pickup: t('store.pickup_decide') });
      ordering.order(
        print,
        isWindowKept ? null : windowTrouble(form.pickup, covered?.pickup_windows),
      );
    },
  });
  // If the form is empty and a list of pasted people is shown, the list is ordered.
  const orderAll = (print: boolean): void => press({ print, list: isList });
  const { order, keepDraft, onReading } = useAfterReading({
    order: orderAll,
    keepDraft: ordering.keepDraft,
    doubts: state.doubts,
    arrival,
  });
  const noPrint =
    sent || options.data?.station.allow_print !== 0
      ? null
      : errorText('print_not_allowed', {}, language);
  const clear = useSteady(async (): Promise<void> => {
    if (
      !(await confirmed({ title: t('store.clear_question'), ok: t('store.clear'), danger: true }))
    )
      return;
    leaveTaken();
    ordering.dismiss();
    state.clear();
  });
  const open = useSteady(reopened.open);

  useStoreKeys({ state, order, keepDraft, sent, noPrint });

  const pickupField = (
    <PickupField
      pickup={form.pickup}
      windows={isList && offered.length > 0 ? sharedWindows(offered) : coverage?.pickup_windows}
      fixed={isWindowFixed}
      own={own}
      forAll={isList}
      missed={isMissed ? { onSoon: () => setSearch({ missed: undefined }) } : null}
      set={set}
      errors={errors}
    />
  );
  return (
    <section className={styles['page']}>
      <h1 className={edited ? styles['title'] : 'sr-only'}>
        {edited ? t('store.edit_title', { number: numberOf(edited) }) : t('menu.store')}
      </h1>
      {edited && <EditNotice sent={sent} onLeave={leaveEdit} />}
      {options.data?.station.blocked === 1 && <BlockedNotice station={options.data.station} />}
      {options.error && <ErrorPanel error={options.error} onRetry={options.refetch} />}
      <div className={styles['columns']}>
        <div className={styles['column']}>
          <ReceiverCard
            state={state}
            pasteRef={paste}
            queue={queue}
            prices={prices}
            onQueue={setQueue}
            book={{
              station_id: several ? form.station_id : null,
              closed: several && form.station_id === null,
            }}
            list={{
              pickup: pickupField,
              troubleOf: troubleIn(coverages),
              onOrder: () => press({ print: false, list: true }),
              onKeepDrafts: (all) => setQueue(keepRows(form, all)),
            }}
            placeProblem={places.receiver}
            onReplace={onReplace}
            onFilled={leadOn}
            onReading={onReading}
            sentBefore={
              <SentBefore
                phone={form.receiver.phone}
                but={edited?.id ?? null}
                station={several ? form.station_id : 'all'}
              />
            }
          />
          <OrdersList printing={printing} onOpen={open} />
        </div>
        <div className={styles['column']}>
          <GoodsCard state={state} options={options.data} fixed={sent} isFixed={isFixed} />
          <SenderCard
            state={state}
            options={options.data?.station}
            several={several}
            fixed={sent}
            placeProblem={places.sender}
          />
        </div>
        <div className={`${styles['column']} ${styles['sticky']}`}>
          <PricePanel
            quotes={quotes}
            promises={options.data?.promises ?? []}
            wants={
              several && form.station_id === null ? (
                t('store.choose_station')
              ) : isList ? (
                <BatchOffers
                  form={form}
                  rows={queue}
                  prices={prices}
                  onChoose={(choice) => {
                    set(choice);
                    setQueue(queue.map(({ candidate, weight }) => ({ candidate, weight })));
                  }}
                />
              ) : (
                t('store.quote_wait')
              )
            }
            chosen={chosen}
            isProposed={form.promise_id === ''}
            lost={lost}
            error={errors['promise_id']}
            coverages={coverages}
            account={
              sent
                ? null
                : {
                    code: form.customer_code,
                    choices: options.data?.accounts ?? [],
                    onChange: (customer_code) => set({ customer_code }),
                  }
            }
            onChoose={({ promise_id, provider }) => set({ promise_id, provider })}
          >
            {!isList && pickupField}
            <PrinterLine printing={printing} />
          </PricePanel>
        </div>
      </div>
      <OrderBar
        data={(isList ? sampled : quotes).data}
        due={
          isList
            ? dueOfRows(form, queue, { quotesOf: prices.of, troubleOf: troubleIn(coverages) })
            : (chosen?.post_amount ?? null)
        }
        refusal={ordering.refusal}
        waiting={waiting}
        noPrint={noPrint}
        editing={edited === null ? null : sent ? 'sent' : 'unsent'}
        onOrder={order}
        onDraft={keepDraft}
        onClear={() => void clear()}
      />
      {printing.dialogs}
    </section>
  );
};
