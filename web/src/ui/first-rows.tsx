import { useTexts } from '#base/texts.ts';
import { useFormat } from '#base/format.ts';
import styles from './first-rows.module.css';

/** The maximum number of selected rows whose names a dialog lists. */
const inDialog = 5;

interface Props {
  /** The names of the first rows, in the order of the list. */
  names: readonly string[];
  /** The number of all rows that the dialog is about, including those that it does not show. */
  count: number;
  most?: number;
}

/**
 * Lists the names of the first selected rows in a dialog. The user can check them before running an
 * action on rows that were selected earlier.
 */
export const FirstRows = ({ names, count, most = inDialog }: Props) => {
  const { t } = useTexts();
  const format = useFormat();
  const shown = names.slice(0, most);
  if (shown.length === 0) return null;
  return (
    <ul className={styles['rows']} aria-label={t('common.chosen_rows')}>
      {shown.map((name, at) => (
        // oxlint-disable-next-line react/no-array-index-key -- two rows may have one name
        <li key={at}>{name}</li>
      ))}
      {count > shown.length && (
        <li className={styles['more']}>
          {t('common.more_rows', { count: format.number(count - shown.length) })}
        </li>
      )}
    </ul>
  );
};
