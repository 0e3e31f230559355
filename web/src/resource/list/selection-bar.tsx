import { CloseOutlined } from '@ant-design/icons-svg';
import type { ReactNode } from 'react';
import { useFormat } from '#base/format.ts';
import { useTexts } from '#base/texts.ts';
import { Button } from '#ui/button.tsx';
import { Icon } from '#ui/icon.tsx';
import primitives from '#ui/primitives.module.css';
import styles from './list.module.css';
import type { AnyList } from './use-list.ts';

/** How many rows are chosen, the way to all that match, and what can be done with them. */
export const SelectionBar = ({ list, children }: { list: AnyList; children?: ReactNode }) => {
  const { t } = useTexts();
  const format = useFormat();
  const { data, rows, selection, chosen, everything } = list;
  const wholePage = rows !== undefined && rows.length > 0 && rows.every(({ id }) => selection.rows.has(id));
  const more = data !== undefined && wholePage && data.total > chosen.length;
  return (
    <div className={styles['bar']} role="region" aria-label={t('common.selection')}>
      <span className={styles['count']} aria-live="polite">
        {everything && data ? t('lists.everything', { count: format.number(data.total) }) : t('lists.selected', { count: format.number(chosen.length) })}
      </span>
      {more && !everything && children !== undefined && (
        <Button type="link" size="small" onClick={list.chooseEverything}>
          {t('lists.choose_everything', { count: format.number(data.total) })}
        </Button>
      )}
      <span className={primitives['inline']}>
        {children}
        <Button
          type="text"
          icon={<Icon of={CloseOutlined} />}
          aria-label={t('lists.clear_selection')}
          title={t('lists.clear_selection')}
          onClick={list.clearSelection}
        />
      </span>
    </div>
  );
};
