import { stateCode } from '@waystation/contract/express-states.ts';
import { useEffect, useRef, useState } from 'react';
import { getExpress } from '@waystation/contract/express-calls.ts';
import type { Express } from '@waystation/contract/express.ts';
import { screenHref } from '#shell/tabs/open-screen.ts';
import { useCall } from '#base/query.ts';
import { useTexts } from '#base/texts.ts';
import { CancelDialog } from '#parcels/cancel-dialog.tsx';
import { cancelBlocked, printBlocked } from '#parcels/parcel-rules.ts';
import type { Printing } from '#printing/printing.tsx';
import { Button } from '#ui/button.tsx';
import { Money } from '#ui/values/money.tsx';
import { StatusTag } from '#parcels/status-tag.tsx';
import { Waybill } from '#ui/values/waybill.tsx';
import primitives from '#ui/primitives.module.css';
import styles from './store.module.css';

const whileOpen = 1_500;

/** One parcel just ordered, read again while the carrier has not answered. */
const Latest = ({
  first,
  printing,
  printLater,
  onCancel,
}: {
  first: Express;
  printing: Printing;
  printLater: boolean;
  onCancel: (express: Express) => void;
}) => {
  const { t, language } = useTexts();
  const [open, setOpen] = useState(first.state_code === stateCode.ordering || first.canceling === 1);
  const { data } = useCall(getExpress, { id: first.id }, { quiet: true, refetchInterval: open ? whileOpen : false });
  const express = data ?? first;
  const pending = express.state_code === stateCode.ordering || express.canceling === 1;
  if (pending !== open) setOpen(pending);
  const { printNow } = printing;
  const waiting = useRef(printLater && first.state_code === stateCode.ordering);
  useEffect(() => {
    if (!waiting.current || express.state_code === stateCode.ordering) return;
    waiting.current = false;
    if (express.state_code === stateCode.awaitingPickup) void printNow([express]);
  }, [express, printNow]);
  const blocked = printBlocked(express, language);
  return (
    <li className={styles['latest']}>
      <a href={screenHref('ExpressTable', { id: express.id })}>
        {express.delivery_id === null ? express.order_id : <Waybill number={express.delivery_id} copy={false} />}
      </a>
      <StatusTag code={express.state_code} />
      <span className={`${primitives['cut']} ${styles['who']}`}>{express.receive_name}</span>
      <Money fen={express.post_amount} />
      <Button size="small" type="link" disabled={blocked !== null} {...(blocked !== null && { title: blocked })} onClick={() => printing.print([express])}>
        {t('common.act.print')}
      </Button>
      <Button size="small" type="link" disabled={cancelBlocked(express, language) !== null} onClick={() => onCancel(express)}>
        {t('store.again')}
      </Button>
    </li>
  );
};

/** The last five parcels of this page, to print or to take back while that is possible. */
export const LatestStrip = ({ latest, printing, printLater }: { latest: readonly Express[]; printing: Printing; printLater: readonly number[] }) => {
  const { t } = useTexts();
  const [cancelling, setCancelling] = useState<Express | null>(null);
  if (latest.length === 0) return null;
  return (
    <section className={`${primitives['card']} ${styles['card']}`} aria-label={t('store.latest')}>
      <h2>{t('store.latest')}</h2>
      <ul className={`${primitives['list']} ${styles['strip']}`}>
        {latest.map((express) => (
          <Latest key={express.id} first={express} printing={printing} printLater={printLater.includes(express.id)} onCancel={setCancelling} />
        ))}
      </ul>
      <CancelDialog row={cancelling} onClose={() => setCancelling(null)} />
    </section>
  );
};
