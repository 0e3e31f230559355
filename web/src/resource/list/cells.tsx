import { useFormat } from '#base/format.ts';
import { useRowTab } from '#ui/row-tab.ts';
import primitives from '#ui/primitives.module.css';
import styles from './list.module.css';

/** The name of a row, which opens it. */
export const NameCell = ({ name, onOpen }: { name: string; onOpen: () => void }) => {
  const tabIndex = useRowTab();
  return (
    <button type="button" className={`${primitives['linkButton']} ${styles['name']}`} tabIndex={tabIndex} title={name} onClick={onOpen}>
      {name}
    </button>
  );
};

/** A moment, with how long ago it was for whoever points at it; a dash where it is not known. */
export const TimeCell = ({ at }: { at: string | null }) => {
  const format = useFormat();
  if (at === null) return '—';
  return (
    <time className="tabular" dateTime={at} title={`${format.relative(at)} · ${format.moment(at)}`}>
      {format.time(at)}
    </time>
  );
};

/** A text that is cut where the column ends, whole for whoever points at it; a dash where there is none. */
export const TextCell = ({ text }: { text: string }) =>
  text === '' ? (
    '—'
  ) : (
    <span className={styles['cut']} title={text}>
      {text}
    </span>
  );
