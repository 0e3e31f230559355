import { billBoard } from '@waystation/contract/shell/workplace.ts';
import type { Counted } from '@waystation/contract/shell/workplace.ts';
import { useFormat } from '#base/format.ts';
import { screenHref } from '#shell/tabs/open-screen.ts';
import { screenOf } from '@waystation/contract/shell/screens.ts';
import type { ScreenName } from '@waystation/contract/shell/screens.ts';
import { useCall } from '#base/query.ts';
import { useTexts } from '#base/texts.ts';
import { BoardCard } from './board-card.tsx';
import styles from './boards.module.css';

const screen = 'Reconciliations';

/** The carriers' bills that have undecided lines; the card is hidden if there are none. */
export const BillsCard = ({ every }: { every: number }) => {
  const { t } = useTexts();
  const format = useFormat();
  const reading = useCall(billBoard, {}, { refetchInterval: every, quiet: true });
  if (reading.error === null && !reading.data?.items.length) return null;
  const door = (id: number, { filter }: Counted, words: string) =>
    screenOf(screen) ? (
      <a href={screenHref(screen as ScreenName, { id, ...filter })}>{words}</a>
    ) : (
      <span>{words}</span>
    );
  return (
    <BoardCard title={t('workplace.bills.title')} reading={reading}>
      {({ items }) => (
        <ul className={styles['low']}>
          {items.map((bill) => (
            <li key={bill.reconciliation_id}>
              <span>{bill.period}</span>
              {door(
                bill.reconciliation_id,
                bill.open,
                t('workplace.bills.open', { count: format.number(bill.open.count) }),
              )}
              <span>{bill.file_name}</span>
              {door(
                bill.reconciliation_id,
                bill.unmatched,
                t('workplace.bills.unmatched', { count: format.number(bill.unmatched.count) }),
              )}
            </li>
          ))}
        </ul>
      )}
    </BoardCard>
  );
};
