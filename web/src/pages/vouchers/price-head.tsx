import { useTexts } from '#base/texts.ts';
import type { GridColumn } from './grid.ts';
import styles from './grid.module.css';

interface Props {
  columns: readonly (GridColumn & { head: string })[];
  brackets: number;
}

/**
 * The column titles in two lines. The first line contains the brackets, and the second line
 * contains the three columns of each bracket.
 */
export const PriceHead = ({ columns, brackets }: Props) => {
  const { t } = useTexts();
  const alone = ({ key, part, head }: Props['columns'][number]) => (
    <th key={key} scope="col" rowSpan={2} data-part={part}>
      {head}
    </th>
  );
  const inBracket = { up_to: t('vouchers.part.up_to'), step: t('vouchers.part.step') };
  return (
    <thead>
      <tr>
        <th scope="col" rowSpan={2} className={styles['corner']}>
          {t('vouchers.region')}
        </th>
        <th
          scope="col"
          rowSpan={2}
          data-part="uses"
          aria-label={t('vouchers.uses')}
          title={t('vouchers.uses_hint')}
        >
          {t('vouchers.part.uses')}
        </th>
        {columns.slice(0, 3).map(alone)}
        {Array.from({ length: brackets }, (_, bracket) => (
          <th key={`bracket ${bracket}`} scope="colgroup" colSpan={3}>
            {t('vouchers.part.bracket', { n: bracket + 1 })}
          </th>
        ))}
        {columns.slice(-1).map(alone)}
      </tr>
      <tr>
        {columns.slice(3, -1).map(({ key, part, bracket, head }) => (
          <th
            key={key}
            scope="col"
            aria-label={head}
            data-bracket={(bracket ?? 0) % 2}
            data-part={part}
          >
            {part === 'up_to' || part === 'step' ? inBracket[part] : t('vouchers.part.price')}
          </th>
        ))}
      </tr>
    </thead>
  );
};
