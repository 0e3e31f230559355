import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { mostSheetParcels } from '@waystation/contract/base/limits.ts';
import { keyCaps } from '#base/keys.ts';
import { useShortcuts } from '#base/shortcuts.ts';
import { useTexts } from '#base/texts.ts';
import { dropEntry, storedEntry, useOrders } from '#parcels/orders/entries.ts';
import { needsHand } from '#parcels/orders/entry.ts';
import type { OrderEntry } from '#parcels/orders/entry.ts';
import { readNow } from '#parcels/orders/follow.ts';
import { returnToPrint, takeToPrint, useToPrint } from '#parcels/orders/to-print.ts';
import { orderAgain, sendNow } from '#parcels/orders/work.ts';
import type { Printing } from '#printing/printing.tsx';
import { isSilent, useWorkstation } from '#printing/workstation.ts';
import { Button } from '#ui/button.tsx';
import { Empty } from '#ui/empty.tsx';
import { idleComponent } from '#ui/lazy.tsx';
import primitives from '#ui/primitives.module.css';
import { OrderRow } from './order-row.tsx';
import type { OrderActs } from './order-row.tsx';
import styles from './orders.module.css';
import store from './store.module.css';

const CancelDialog = idleComponent(
  async () => (await import('#parcels/cancel-dialog.tsx')).CancelDialog,
);

/**
 * The labels that the user ordered together with their parcels. A printer without a dialog prints
 * them immediately. For other printers the user must press a key.
 */
const ToPrint = ({ printing }: { printing: Printing }) => {
  const { t } = useTexts();
  const count = useToPrint((state) => state.rows.length);
  const silent = useWorkstation(isSilent);
  /**
   * The number of labels whose automatic print failed. They are printed again only when another
   * label is printed, or when the user presses the key.
   */
  const returned = useRef(0);
  const { printNow } = printing;
  const printAll = useCallback(
    async (quiet: boolean) => {
      const rows = takeToPrint(mostSheetParcels);
      if (rows.length === 0) return;
      const isDone = await printNow(rows, { quiet });
      returned.current = isDone ? 0 : rows.length;
      if (!isDone) returnToPrint(rows);
    },
    [printNow],
  );
  useEffect(() => {
    if (silent && count > returned.current) void printAll(true);
  }, [silent, count, printAll]);
  const print = useCallback(() => void printAll(false), [printAll]);
  useShortcuts(
    useMemo(
      () => [
        { keys: 'F10', label: t('store.order_state.print_ready'), run: print, whileTyping: true },
      ],
      [t, print],
    ),
  );
  if (count === 0) return null;
  return (
    <Button size="small" onClick={print}>
      {t('store.order_state.ready', { count })} <kbd>{keyCaps('F10')[0]!.join(' ')}</kbd>
    </Button>
  );
};

/**
 * The list of this user's orders that are pending, refused or just completed. It shows the same
 * orders on every page.
 */
export const OrdersList = ({
  printing,
  onOpen,
}: {
  printing: Printing;
  onOpen: (entry: OrderEntry) => void;
}) => {
  const { t } = useTexts();
  const entries = useOrders((state) => state.entries);
  const toPrint = useToPrint((state) => state.rows.length);
  const [cancelled, setCancelled] = useState<OrderEntry | null>(null);
  const list = useRef<HTMLUListElement>(null);
  const toList = useCallback(() => {
    const wanted = entries.find(needsHand) ?? entries[0];
    if (wanted) list.current?.querySelector<HTMLElement>(`[data-order="${wanted.key}"]`)?.focus();
  }, [entries]);
  useShortcuts(
    useMemo(
      () => [
        { keys: 'alt+q', label: t('store.order_state.to_list'), run: toList, whileTyping: true },
      ],
      [t, toList],
    ),
  );
  const acts: OrderActs = {
    open: onOpen,
    again: ({ key }) => orderAgain(key),
    resend: ({ key }) => sendNow(key),
    remove: ({ key }) => dropEntry(key),
    // Reads the parcel first, because a reason is required if its label was already printed.
    print: ({ key }) =>
      void readNow(key).then(() => {
        const parcel = storedEntry(key)?.parcel;
        if (parcel) printing.print([parcel]);
      }),
    cancel: setCancelled,
  };
  const isEmpty = entries.length === 0 && toPrint === 0;
  return (
    <section
      className={`${primitives['card']} ${store['card']} ${store['latest']}`}
      aria-label={t('store.latest')}
      data-none={isEmpty || undefined}
    >
      <div className={store['cardHead']}>
        <h2>
          {t('store.latest')} <kbd className={styles['key']}>{keyCaps('alt+q')[0]!.join(' ')}</kbd>
        </h2>
        <ToPrint printing={printing} />
      </div>
      {isEmpty && <Empty title={t('store.latest_none')} hint={t('store.latest_none_hint')} />}
      <ul ref={list} className={`${primitives['list']} ${store['strip']}`}>
        {entries.map((entry) => (
          <OrderRow key={entry.key} entry={entry} acts={acts} />
        ))}
      </ul>
      {cancelled?.parcel && (
        <CancelDialog
          row={cancelled.parcel}
          onClose={() => {
            void readNow(cancelled.key);
            setCancelled(null);
          }}
        />
      )}
    </section>
  );
};
