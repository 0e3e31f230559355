import { CopyOutlined, DownOutlined, PrinterOutlined } from '@ant-design/icons-svg';
import { useRef, useState } from 'react';
import type { ExpressRow } from '@waystation/contract/express.ts';
import { useFormat } from '#base/format.ts';
import { notify } from '#ui/overlay/notify.tsx';
import { useTexts } from '#base/texts.ts';
import { labelFormats } from '#printing/labels.ts';
import { numberOf, printBlocked } from '#parcels/parcel-rules.ts';
import type { Printing } from '#printing/printing.tsx';
import { ActionMenu } from '#ui/overlay/action-menu.tsx';
import { Button } from '#ui/button.tsx';
import { Icon } from '#ui/icon.tsx';
import { Money } from '#ui/values/money.tsx';
import type { RowAction } from '#ui/overlay/row-action.ts';
import { SelectionBar } from '#resource/list/selection-bar.tsx';
import type { AnyList } from '#resource/list/use-list.ts';
import styles from './selection-bar.module.css';

interface Props {
  list: AnyList;
  /** In the order of the list. */
  rows: readonly ExpressRow[];
  /** How many the filters find, and the way to choose them all; null while that many cannot be. */
  all: { total: string; busy: boolean; choose: () => void } | null;
  printing: Printing;
}

/** What can be done with the chosen parcels, in the order of the list. */
export const ParcelSelection = ({ list, rows, all, printing }: Props) => {
  const { t, language } = useTexts();
  const format = useFormat();
  const more = useRef<HTMLButtonElement>(null);
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(rows.map(numberOf).join('\n'));
      notify.success(t('expresses.numbers_copied', { count: rows.length }));
    } catch {
      notify.warning(t('shell.copy_failed'));
    }
  };
  // Some of several may be printed: those that may not are named afterwards. All of one reason is said beforehand.
  const reasons = new Set(rows.map((row) => printBlocked(row, language)));
  const [only = null] = reasons.size === 1 ? reasons : [];
  const blocked = (): string | null => only;
  const papers: RowAction<readonly ExpressRow[]>[] = [
    ...labelFormats.map((paper): RowAction<readonly ExpressRow[]> => ({
      key: paper,
      label: t('common.print.on', { size: paper.replace('x', ' × ') }),
      icon: <Icon of={PrinterOutlined} />,
      blocked,
      run: (chosen) => printing.print(chosen, paper),
    })),
    { key: 'preview', label: t('common.act.preview'), blocked, run: printing.preview },
  ];
  const sum = (
    <>
      {t('expresses.selected', { count: format.number(rows.length) })}
      <span className={styles['sum']}>
        <Money fen={rows.reduce((total, row) => total + row.post_amount, 0)} />
      </span>
    </>
  );
  const chooseAll = all && (
    <Button type="link" size="small" loading={all.busy} onClick={all.choose}>
      {t('expresses.select_all', { total: all.total })}
    </Button>
  );
  return (
    <SelectionBar list={list} count={sum} all={chooseAll}>
      <Button
        type="primary"
        icon={<Icon of={PrinterOutlined} />}
        disabled={only !== null}
        {...(only !== null && { title: only })}
        onClick={() => printing.print(rows)}
      >
        {t('expresses.print_selected', { count: rows.length })}
      </Button>
      <Button
        ref={more}
        icon={<Icon of={DownOutlined} />}
        aria-label={t('common.print.paper')}
        aria-haspopup="menu"
        aria-expanded={anchor !== null}
        onClick={() => setAnchor(more.current)}
      />
      <Button icon={<Icon of={CopyOutlined} />} onClick={() => void copy()}>
        {t('expresses.copy_numbers')}
      </Button>
      {anchor && <ActionMenu anchor={anchor} row={rows} actions={papers} label={t('common.print.paper')} onClose={() => setAnchor(null)} />}
    </SelectionBar>
  );
};
