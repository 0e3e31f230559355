import { useFormat } from '#base/format.ts';
import type { Column } from '#resource/table/column.ts';
import { useRowTab } from '#ui/row-tab.ts';
import primitives from '#ui/primitives.module.css';
import styles from './list.module.css';

/** The name of a row. A press on the name opens the row. */
export const NameCell = ({ name, onOpen }: { name: string; onOpen: () => void }) => {
  const tabIndex = useRowTab();
  return (
    <button
      type="button"
      className={`${primitives['linkButton']} ${styles['name']}`}
      tabIndex={tabIndex}
      title={name}
      onClick={onOpen}
    >
      {name}
    </button>
  );
};

/** A time whose tooltip shows how long ago it was. A dash if the time is not known. */
export const TimeCell = ({ at }: { at: string | null }) => {
  const format = useFormat();
  if (at === null) return '—';
  return (
    <time className="tabular" dateTime={at} title={`${format.relative(at)} · ${format.moment(at)}`}>
      {format.time(at)}
    </time>
  );
};

/**
 * A text that is cut at the width of the column. The tooltip shows the complete text. A dash if the
 * text is empty.
 */
export const TextCell = ({ text }: { text: string }) =>
  text === '' ? (
    '—'
  ) : (
    <span className={styles['cut']} title={text}>
      {text}
    </span>
  );

/** A column of texts, such as names: it grows before other columns, until no text is cut off. */
export const textColumn = <R,>(text: (row: R) => string): Pick<Column<R>, 'text' | 'cell'> => ({
  text,
  cell: (row) => <TextCell text={text(row)} />,
});
