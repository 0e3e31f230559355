import { useFormat } from '#app/format.ts';
import { screenHref } from '#app/open-screen.ts';
import { useTexts } from '#app/texts.ts';
import { StatusShape, toneOf } from '#ui/status-tag.tsx';
import type { Board } from './board.ts';
import styles from './workplace.module.css';

const groups = [
  { group: 'total', state: null },
  { group: 'awaiting_pickup', state: 100 },
  { group: 'in_transit', state: 210 },
  { group: 'signed_for', state: 300 },
] as const;

/** The four numbers of requirements §1, each the door to the list that it counts. */
export const Counts = ({ board }: { board: Board | undefined }) => {
  const { t } = useTexts();
  const format = useFormat();
  const notes = {
    total: board && t('workplace.today', { count: format.number(board.today.total) }),
    awaiting_pickup: null,
    in_transit: null,
    signed_for: board && t('workplace.today', { count: format.number(board.today.signed_for) }),
  };
  const meanings = { total: t('workplace.total_note'), awaiting_pickup: null, in_transit: t('workplace.in_transit_note'), signed_for: null };
  return (
    <ul className={styles['counts']}>
      {groups.map(({ group, state }) => (
        <li key={group}>
          <a className={styles['count']} href={screenHref('ExpressTable', { group })} title={meanings[group] ?? undefined}>
            <span className={styles['label']} data-tone={state === null ? undefined : toneOf(state)}>
              {state !== null && <StatusShape code={state} />}
              {t(`workplace.${group}`)}
            </span>
            <span className={styles['number']}>{board ? format.number(board[group]) : <span className={styles['skeleton']} />}</span>
            <span className={styles['note']}>{notes[group] ?? meanings[group] ?? ''}</span>
          </a>
        </li>
      ))}
    </ul>
  );
};
