import type { ComponentType } from 'react';
import { useTexts } from '#base/texts.ts';
import type { Column } from './column.ts';
import styles from './resource-table.module.css';
import type { Selection } from './selection.ts';

interface Props<R extends { id: number }> {
  label: string;
  rows: readonly R[] | undefined;
  selection: Selection<R> | null;
  nameOf: (row: R) => string;
  onOpen: (row: R) => void;
  /** Draws a row as a card. If it is null, the chosen columns are drawn instead. */
  card: ComponentType<{ row: R }> | null;
  columns: readonly Column<R>[];
  stale: boolean;
}

/** The fields that the user selected for the cards, shown under the name of the row. */
const Fields = <R extends { id: number }>({
  row,
  name,
  columns,
}: {
  row: R;
  name: string;
  columns: readonly Column<R>[];
}) => (
  <>
    <strong className={styles['name']}>{name}</strong>
    <dl className={styles['fields']}>
      {columns
        .filter(({ key, fixed }) => fixed !== true && key !== 'actions')
        .map(({ key, title, cell }) => (
          <div key={key}>
            <dt>{title}</dt>
            <dd>{cell(row)}</dd>
          </div>
        ))}
    </dl>
  </>
);

/**
 * The rows on a phone, as cards of two lines. A press on a card opens the row, and the checkbox at
 * its side selects it.
 */
export const CardList = <R extends { id: number }>({
  label,
  rows,
  selection,
  nameOf,
  onOpen,
  card: Card,
  columns,
  stale,
}: Props<R>) => {
  const { t } = useTexts();
  if (rows === undefined)
    return (
      <ul className={styles['cards']} aria-hidden>
        {Array.from({ length: 6 }, (_, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- bars have no identity
          <li key={index} className={styles['card']}>
            <span className={styles['bar']} style={{ width: `${50 + ((index * 37) % 30)}%` }} />
            <span className={styles['bar']} style={{ width: `${65 + ((index * 53) % 30)}%` }} />
          </li>
        ))}
      </ul>
    );
  return (
    <ul className={styles['cards']} aria-label={label} data-stale={stale || undefined}>
      {rows.map((row) => {
        const name = nameOf(row);
        return (
          <li
            key={row.id}
            className={styles['card']}
            data-chosen={selection?.rows.has(row.id) || undefined}
          >
            {selection && (
              <label className={styles['pick']}>
                <input
                  type="checkbox"
                  checked={selection.rows.has(row.id)}
                  aria-label={t('common.select_row', { name })}
                  onChange={() => selection.toggle(row)}
                />
              </label>
            )}
            <div className={styles['face']}>
              {Card === null ? (
                <Fields row={row} name={name} columns={columns} />
              ) : (
                <Card row={row} />
              )}
              <button
                type="button"
                className={styles['open']}
                data-row={row.id}
                aria-label={t('common.open_row', { name })}
                onClick={() => onOpen(row)}
              />
            </div>
          </li>
        );
      })}
    </ul>
  );
};
