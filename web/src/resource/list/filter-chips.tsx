import { CloseOutlined } from '@ant-design/icons-svg';
import { useTexts } from '#base/texts.ts';
import styles from './filter-chips.module.css';
import { Icon } from '#ui/icon.tsx';
import primitives from '#ui/primitives.module.css';

export interface Chip {
  key: string;
  /** What is filtered by, and its value. */
  name: string;
  value: string;
}

/** What narrows a list, each removable, and all at once. Nothing is drawn where nothing narrows it. */
export const FilterChips = ({ chips, onRemove, onClear }: { chips: readonly Chip[]; onRemove: (key: string) => void; onClear: () => void }) => {
  const { t } = useTexts();
  if (chips.length === 0) return null;
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
            <span className={styles['name']}>{chip.name}</span> <span className={primitives['cut']}>{chip.value}</span>
            <Icon of={CloseOutlined} />
          </button>
        </li>
      ))}
      <li>
        <button type="button" className={styles['clear']} onClick={onClear}>
          {t('common.clear_filters')}
        </button>
      </li>
    </ul>
  );
};
