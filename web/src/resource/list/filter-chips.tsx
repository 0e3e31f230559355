import { CloseOutlined } from '@ant-design/icons-svg';
import { useTexts } from '#base/texts.ts';
import styles from './filter-chips.module.css';
import { Icon } from '#ui/icon.tsx';
import primitives from '#ui/primitives.module.css';

export interface Chip {
  key: string;
  /** The name of the filter. `value` is the value of the filter as text. */
  name: string;
  value: string;
}

interface Props {
  chips: readonly Chip[];
  /**
   * The notice that the list is limited by something other than its filters, with the reason. Null
   * if the list is not limited.
   */
  note: { words: string; why: string } | null;
  onRemove: (key: string) => void;
  onClear: () => void;
}

/**
 * The active filters of a list with a button to remove each, and a button to remove all. Draws
 * nothing if no filter is active.
 */
export const FilterChips = ({ chips, note, onRemove, onClear }: Props) => {
  const { t } = useTexts();
  if (chips.length === 0 && note === null) return null;
  return (
    <ul className={styles['chips']} aria-label={t('common.active_filters')}>
      {chips.map((chip) => (
        <li key={chip.key}>
          <button
            type="button"
            className={styles['chip']}
            onClick={() => onRemove(chip.key)}
            aria-label={t('common.remove_filter', { name: chip.name, value: chip.value })}
          >
            <span className={styles['name']}>{chip.name}</span>{' '}
            <span className={primitives['cut']}>{chip.value}</span>
            <Icon of={CloseOutlined} />
          </button>
        </li>
      ))}
      {note && (
        <li className={styles['note']} title={note.why}>
          <span>{note.words}</span>
          <span className="sr-only">{note.why}</span>
        </li>
      )}
      {chips.length > 0 && (
        <li>
          <button type="button" className={styles['clear']} onClick={onClear}>
            {t('common.clear_filters')}
          </button>
        </li>
      )}
    </ul>
  );
};
