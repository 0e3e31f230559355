import { LeftOutlined, RightOutlined } from '@ant-design/icons-svg';
import { useFormat } from '#base/format.ts';
import { useTexts } from '#base/texts.ts';
import { Button } from '#ui/button.tsx';
import { Select } from '#ui/fields/select.tsx';
import { Icon } from './icon.tsx';
import styles from './pager.module.css';

export const pageSizes = [20, 50, 100, 200] as const;

interface Props {
  page: number;
  size: number;
  /** The number of rows on this page. */
  rows: number;
  /** The number of all rows; null if it is not known. */
  total: number | null;
  /** True if the real number of rows is larger than `total`. */
  capped: boolean;
  /** True if this is the last page. */
  isLast: boolean;
  onPage: (page: number) => void;
  /** Changes the page size. Absent if the user cannot change it. */
  onSize?: (size: number) => void;
}

/**
 * The range of the rows on this page, the total number of rows, and the buttons to the other pages.
 */
export const Pager = ({ page, size, rows, total, capped, isLast, onPage, onSize }: Props) => {
  const { t } = useTexts();
  const format = useFormat();
  const from = rows === 0 ? 0 : (page - 1) * size + 1;
  const range = { from: format.number(from), to: format.number((page - 1) * size + rows) };
  const plus = capped ? '+' : '';
  const last =
    total === null ? null : format.number(Math.max(page, Math.ceil(total / size))) + plus;
  return (
    <nav className={styles['pager']} aria-label={t('common.pages')}>
      <span className={styles['range']} aria-live="polite">
        {total === null
          ? t('common.rows_range', range)
          : t('common.rows_of', { ...range, total: format.number(total) + plus })}
      </span>
      <Button
        type="text"
        size="small"
        icon={<Icon of={LeftOutlined} />}
        aria-label={t('common.previous_page')}
        disabled={page <= 1}
        onClick={() => onPage(page - 1)}
      />
      <span className={styles['number']}>
        {last === null
          ? format.number(page)
          : t('common.page_number', { page: format.number(page), last })}
      </span>
      <Button
        type="text"
        size="small"
        icon={<Icon of={RightOutlined} />}
        aria-label={t('common.next_page')}
        disabled={isLast}
        onClick={() => onPage(page + 1)}
      />
      {onSize && (
        <Select
          label={t('common.page_size')}
          className={styles['size']}
          value={String(size)}
          options={pageSizes.map((each) => ({
            value: String(each),
            label: t('common.per_page', { count: each }),
          }))}
          onChange={(next) => onSize(Number(next))}
        />
      )}
    </nav>
  );
};
