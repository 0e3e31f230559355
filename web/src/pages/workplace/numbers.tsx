import type { Counted, NumberKey } from '@waystation/contract/shell/workplace.ts';
import { useFormat } from '#base/format.ts';
import { screenHref } from '#shell/tabs/open-screen.ts';
import { useTexts } from '#base/texts.ts';
import { StatusShape, toneOf } from '#parcels/status-tag.tsx';
import { numberOf } from './board.ts';
import type { Board, BoardNumber } from './board.ts';
import styles from './numbers.module.css';
import card from './workplace.module.css';

interface Shown {
  key: NumberKey;
  /**
   * The state whose symbol and colour are shown with the number. Null if the number belongs to no
   * single state.
   */
  state: number | null;
}

/** The four numbers of requirements §1. */
const four = [
  { key: 'total', state: null },
  { key: 'awaiting_pickup', state: 100 },
  { key: 'in_transit', state: 210 },
  { key: 'signed_for', state: 300 },
] as const satisfies readonly Shown[];

/** The numbers of parcels that wait for an action, the most urgent first. */
const waiting = [
  { key: 'exception', state: 400 },
  { key: 'failed', state: 90 },
  { key: 'on_hold', state: 10 },
  { key: 'draft', state: 0 },
  { key: 'ordering', state: 20 },
  { key: 'to_print', state: 100 },
] as const satisfies readonly Shown[];

/** The numbers of today and yesterday, each as a separate link. */
const Movement = ({ name, number }: { name: string; number: BoardNumber }) => {
  const { t } = useTexts();
  const format = useFormat();
  const door = (day: string, { count, filter }: Counted) => (
    <a href={screenHref('ExpressTable', filter)} data-none={count === 0 || undefined}>
      <span aria-hidden>
        {day} {format.number(count)}
      </span>
      <span className="sr-only">
        {t('workplace.came', { name, day, count: format.number(count) })}
      </span>
    </a>
  );
  return (
    <span className={styles['movement']}>
      {number.today && door(t('workplace.today'), number.today)}
      {number.yesterday && door(t('workplace.yesterday'), number.yesterday)}
    </span>
  );
};

const Tile = ({
  shown: { key, state },
  board,
  meaning,
}: {
  shown: Shown;
  board: Board | undefined;
  meaning?: string;
}) => {
  const { t } = useTexts();
  const format = useFormat();
  const number = numberOf(board, key);
  const name = t(`workplace.${key}`);
  return (
    <li className={styles['tile']} title={meaning}>
      <a
        className={styles['door']}
        href={number ? screenHref('ExpressTable', number.filter) : undefined}
      >
        <span className={styles['label']} data-tone={state === null ? undefined : toneOf(state)}>
          {state !== null && <StatusShape code={state} />}
          {name}
          {key === 'total' && <small>{t('workplace.total_short')}</small>}
        </span>
        <span className={styles['number']} data-none={number?.count === 0 || undefined}>
          {number ? format.number(number.count) : <span className={styles['skeleton']} />}
        </span>
      </a>
      {number && <Movement name={name} number={number} />}
    </li>
  );
};

/** The four numbers of requirements §1, each a link to the list that it counts. */
export const Counts = ({ board }: { board: Board | undefined }) => {
  const { t } = useTexts();
  const meanings: Partial<Record<NumberKey, string>> = {
    total: t('workplace.total_note'),
    in_transit: t('workplace.in_transit_note'),
  };
  return (
    <ul className={styles['counts']} aria-label={t('workplace.counts')}>
      {four.map((shown) => (
        <Tile
          key={shown.key}
          shown={shown}
          board={board}
          {...(meanings[shown.key] !== undefined && { meaning: meanings[shown.key]! })}
        />
      ))}
    </ul>
  );
};

export const Todo = ({ board }: { board: Board | undefined }) => {
  const { t } = useTexts();
  return (
    <section className={card['card']} aria-labelledby="workplace-todo">
      <h2 id="workplace-todo" title={t('workplace.todo_note')}>
        {t('workplace.todo')}
      </h2>
      <ul className={styles['tasks']}>
        {waiting.map((shown) => (
          <Tile key={shown.key} shown={shown} board={board} />
        ))}
      </ul>
    </section>
  );
};
