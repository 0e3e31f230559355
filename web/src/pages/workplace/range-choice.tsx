import { boardRanges } from '@waystation/contract/shell/workplace.ts';
import { usePageSearch } from '#shell/tabs/page.ts';
import { useTexts } from '#base/texts.ts';
import styles from './boards.module.css';

export type Range = (typeof boardRanges)[number];
const usual: Range = 30;

/** The number of days that the boards cover, taken from the URL. */
export const useRange = (): Range => {
  const [search] = usePageSearch();
  return boardRanges.find((days) => String(days) === search['days']) ?? usual;
};

export const RangeChoice = () => {
  const { t } = useTexts();
  const chosen = useRange();
  const [, setSearch] = usePageSearch();
  return (
    <div className={styles['range']} role="group" aria-label={t('workplace.range')}>
      {boardRanges.map((days) => (
        <button
          key={days}
          type="button"
          aria-pressed={days === chosen}
          onClick={() => setSearch({ days: days === usual ? undefined : days })}
        >
          {t('workplace.last_days', { days })}
        </button>
      ))}
    </div>
  );
};
