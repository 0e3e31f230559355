import type { ReactNode } from 'react';
import { useTexts } from '#base/texts.ts';
import { usePreference } from '#resource/list/preference.ts';
import { Button } from '#ui/button.tsx';
import {
  isShown,
  movedColumn,
  noLayout,
  orderedColumns,
  readLayout,
  shownColumn,
} from '#resource/table/column-layout.ts';
import type { ColumnLayout } from '#resource/table/column-layout.ts';
import { SettingsPopup } from '#ui/overlay/settings-popup.tsx';
import { SortableList } from '#ui/fields/sortable-list.tsx';
import primitives from '#ui/primitives.module.css';
import styles from './cards.module.css';

/**
 * A card of the Workplace. The user can move it within its column, and hide it unless it is
 * `fixed`.
 */
export interface Card {
  key: string;
  title: string;
  side: boolean;
  fixed?: boolean;
  /** The content of the card; null if there is nothing to show. */
  body: ReactNode;
}

export interface ArrangedCards {
  main: Card[];
  side: Card[];
  /** All cards of a column, including the hidden ones. */
  all: (side: boolean) => Card[];
  isShown: (card: Card) => boolean;
  changed: boolean;
  show: (key: string, shown: boolean) => void;
  move: (side: boolean, from: number, to: number) => void;
  reset: () => void;
}

/**
 * The cards as this user has arranged them. The arrangement is stored on the server, like the
 * columns of a list.
 */
export const useCards = (cards: readonly Card[]): ArrangedCards => {
  const [stored, keep] = usePreference('workplace.cards');
  const layout = readLayout(stored);
  const change = ({ order, hidden }: ColumnLayout): void => keep({ order, hidden });
  const all = (side: boolean): Card[] =>
    orderedColumns(
      cards.filter((card) => card.side === side),
      layout,
    );
  const shown = (side: boolean): Card[] => all(side).filter((card) => isShown(card, layout));
  return {
    main: shown(false),
    side: shown(true),
    all,
    isShown: (card) => isShown(card, layout),
    changed: JSON.stringify(layout) !== JSON.stringify(noLayout),
    show: (key, wanted) => change(shownColumn(cards, layout, key, wanted)),
    move: (side, from, to) => {
      const other = all(!side).map(({ key }) => key);
      // Some cards are not shown at the moment, for example the alerts while they are loading. They
      // keep their positions in the order.
      const away = layout.order.filter((key) => !cards.some((card) => card.key === key));
      const { order } = movedColumn(all(side), layout, from, to);
      change({ ...layout, order: [...new Set([...order, ...other, ...away])] });
    },
    reset: () => keep(null),
  };
};

const Panel = ({ cards }: { cards: ArrangedCards }) => {
  const { t } = useTexts();
  return (
    <div className={styles['panel']}>
      {[false, true].map((side) => (
        <section key={String(side)}>
          <h2>{t(side ? 'workplace.cards_side' : 'workplace.cards_main')}</h2>
          <SortableList
            label={t(side ? 'workplace.cards_side' : 'workplace.cards_main')}
            items={cards.all(side)}
            keyOf={({ key }) => key}
            nameOf={({ title }) => title}
            onMove={(from, to) => cards.move(side, from, to)}
          >
            {(card) => (
              <label className={`${primitives['row']} ${styles['card']}`}>
                <input
                  type="checkbox"
                  checked={cards.isShown(card)}
                  disabled={card.fixed}
                  onChange={(event) => cards.show(card.key, event.target.checked)}
                />
                <span>{card.title}</span>
              </label>
            )}
          </SortableList>
        </section>
      ))}
      <div>
        <Button size="small" disabled={!cards.changed} onClick={cards.reset}>
          {t('workplace.cards_reset')}
        </Button>
      </div>
    </div>
  );
};

/** The cards on the Workplace and their order: stored per user, the same on every device. */
export const CardSettings = ({ cards }: { cards: ArrangedCards }) => {
  const { t } = useTexts();
  return (
    <SettingsPopup label={t('workplace.cards')}>
      <Panel cards={cards} />
    </SettingsPopup>
  );
};
