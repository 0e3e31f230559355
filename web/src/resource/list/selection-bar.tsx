import { CloseOutlined } from '@ant-design/icons-svg';
import { Fragment, useContext } from 'react';
import type { ReactNode } from 'react';
import { useFormat } from '#base/format.ts';
import { useShortcuts } from '#base/shortcuts.ts';
import { useTexts } from '#base/texts.ts';
import { Button } from '#ui/button.tsx';
import { Icon } from '#ui/icon.tsx';
import primitives from '#ui/primitives.module.css';
import { ChosenSums } from './chosen-sums.ts';
import styles from './list.module.css';
import { isWholePageChosen } from './use-list.ts';
import type { AnyList } from './use-list.ts';

interface Props {
  list: AnyList;
  /** Replaces the text with the number of selected rows. */
  count?: ReactNode;
  /** Replaces the link that selects all matching rows. If it is null, no link is shown. */
  all?: ReactNode;
  children?: ReactNode;
}

/**
 * The bar above a list with selected rows. It shows their number, a link that selects all matching
 * rows, and the bulk actions.
 */
export const SelectionBar = ({ list, count, all, children }: Props) => {
  const { t } = useTexts();
  const format = useFormat();
  const { counts, chosen, everything } = list;
  // The number of rows that can be selected together. Null if there are more rows than one action
  // accepts (contract: `bulkLimit`, `mostCounted`).
  const total = counts.capped ? null : counts.total;
  const more =
    isWholePageChosen(list) &&
    total !== null &&
    total > chosen.length &&
    !everything &&
    children !== undefined;
  useShortcuts([
    {
      keys: 'shift+a',
      label: t('lists.key_choose_everything'),
      run: () => more && list.chooseEverything(),
    },
  ]);
  const words =
    everything && total !== null
      ? t('lists.everything', { count: format.number(total) })
      : t('lists.selected', { count: format.number(chosen.length) });
  return (
    <div className={styles['bar']} role="region" aria-label={t('common.selection')}>
      <span className={styles['count']} aria-live="polite">
        {count ?? words}
        {useContext(ChosenSums).map(({ key, title, text }) => (
          <Fragment key={key}>
            {' '}
            <span className={styles['sum']}>
              · {title} {text}
            </span>
          </Fragment>
        ))}
      </span>
      {all === undefined && more ? (
        <Button type="link" size="small" onClick={list.chooseEverything}>
          {t('lists.choose_everything', { count: format.number(total) })}
        </Button>
      ) : (
        all
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
