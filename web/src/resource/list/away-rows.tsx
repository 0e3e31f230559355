import { useState } from 'react';
import { useFormat } from '#base/format.ts';
import { useTexts } from '#base/texts.ts';
import { Button } from '#ui/button.tsx';
import { FirstRows } from '#ui/first-rows.tsx';
import { useRowNames } from './row-names.ts';
import styles from './list.module.css';
import type { AnyList } from './use-list.ts';

/** The maximum number of hidden selected rows whose names are listed. */
const mostShown = 50;

interface Props {
  list: Pick<AnyList, 'rows' | 'chosen' | 'everything' | 'selection'>;
  /** The text about the number of hidden selected rows. If it is null, the default text is used. */
  words: ((count: string) => string) | null;
}

/**
 * The selected rows that the list does not show. They are on another page or do not match the
 * present filters. Bulk actions include these rows.
 */
export const AwayRows = ({ list, words }: Props) => {
  const { t } = useTexts();
  const format = useFormat();
  const [open, setOpen] = useState(false);
  const shown = new Set(list.rows?.map(({ id }) => id));
  const away =
    list.everything || list.rows === undefined
      ? []
      : list.chosen.filter(({ id }) => !shown.has(id));
  const names = useRowNames(away);
  if (away.length === 0) return null;
  const count = format.number(away.length);
  const said = words === null ? t('lists.away', { count }) : words(count);
  return (
    <div className={styles['away']} role="status">
      <span>{said}</span>
      <Button type="link" size="small" aria-expanded={open} onClick={() => setOpen(!open)}>
        {t(open ? 'lists.away_hide' : 'lists.away_show')}
      </Button>
      <Button
        type="link"
        size="small"
        aria-label={`${t('lists.away_drop')} (${said})`}
        onClick={() => list.selection.drop(away.map(({ id }) => id))}
      >
        {t('lists.away_drop')}
      </Button>
      {open && <FirstRows names={names} count={away.length} most={mostShown} />}
    </div>
  );
};
