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
  total: number;
  /** The total is a least one: there is more. */
  capped: boolean;
  onPage: (page: number) => void;
  /** Absent: the size is fixed. */
  onSize?: (size: number) => void;
}

/** Which rows these are, of how many, and the way to the others. */
export const Pager = ({ page, size, total, capped, onPage, onSize }: Props) => {
  const { t } = useTexts();
  const format = useFormat();
  const last = Math.max(1, Math.ceil(total / size));
  const from = total === 0 ? 0 : (page - 1) * size + 1;
  const to = capped ? page * size : Math.min(total, page * size);
  return (
    <nav className={styles['pager']} aria-label={t('common.pages')}>
      <span className={styles['range']} aria-live="polite">
        {t(capped ? 'common.rows_of_least' : 'common.rows_of', { from: format.number(from), to: format.number(to), total: format.number(total) })}
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
        {t('common.page_number', { page: format.number(page), last: capped ? `${format.number(last)}+` : format.number(last) })}
      </span>
      <Button
        type="text"
        size="small"
        icon={<Icon of={RightOutlined} />}
        aria-label={t('common.next_page')}
        disabled={!capped && page >= last}
        onClick={() => onPage(page + 1)}
      />
      {onSize && (
        <Select
          label={t('common.page_size')}
          className={styles['size']}
          value={String(size)}
          options={pageSizes.map((each) => ({ value: String(each), label: t('common.per_page', { count: each }) }))}
          onChange={(next) => onSize(Number(next))}
        />
      )}
    </nav>
  );
};
