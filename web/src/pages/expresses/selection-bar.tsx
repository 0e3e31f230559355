import {
  CloseCircleOutlined,
  CheckOutlined,
  CopyOutlined,
  DownOutlined,
  DownloadOutlined,
  EnvironmentOutlined,
  PrinterOutlined,
  ReloadOutlined,
  RollbackOutlined,
  SendOutlined,
} from '@ant-design/icons-svg';
import { useRef, useState } from 'react';
import type { ExpressRow } from '@waystation/contract/parcels/express.ts';
import type { Language } from '@waystation/contract/base/errors.ts';
import { bulkLimit } from '@waystation/contract/base/bulk-endpoint.ts';
import { useFormat } from '#base/format.ts';
import { useShortcuts } from '#base/shortcuts.ts';
import { copyText } from '#ui/copy-text.ts';
import { useTexts } from '#base/texts.ts';
import type { Say } from '#base/texts.ts';
import { paperWords, papersOf } from '#printing/labels.ts';
import { customerText } from '#parcels/customer-text.ts';
import { numberOf, printBlocked } from '#parcels/parcel-rules.ts';
import type { Printing } from '#printing/printing.tsx';
import { ActionMenu } from '#ui/overlay/action-menu.tsx';
import { Button } from '#ui/button.tsx';
import { Icon } from '#ui/icon.tsx';
import type { RowAction } from '#ui/overlay/row-action.ts';
import { SelectionBar } from '#resource/list/selection-bar.tsx';
import { isWholePageChosen } from '#resource/list/use-list.ts';
import type { AnyList } from '#resource/list/use-list.ts';
import type { ParcelBulk } from './bulk-dialog.tsx';
import styles from './selection-bar.module.css';

interface Props {
  list: AnyList;
  /** The selected rows, in the order of the list. */
  rows: readonly ExpressRow[];
  printing: Printing;
  onBulk: (action: ParcelBulk) => void;
}

const icons = {
  cancel: CloseCircleOutlined,
  retry: ReloadOutlined,
  order: SendOutlined,
  track: EnvironmentOutlined,
  intercept: RollbackOutlined,
  handle: CheckOutlined,
} as const;

const anywhere = ['order', 'retry', 'track', 'handle', 'intercept', 'cancel'] as const;
const onBoardActions = ['handle', 'track', 'intercept', 'cancel'] as const;

/**
 * Counts all matching parcels and selects them. If more parcels match than one action may change,
 * shows a text instead.
 */
const ChooseAll = ({ list }: { list: AnyList }) => {
  const { t } = useTexts();
  const format = useFormat();
  const { total, capped } = list.counts;
  if (list.everything || total === null || total <= list.chosen.length || !isWholePageChosen(list))
    return null;
  if (capped)
    return (
      <span className={styles['hint']}>
        {t('expresses.above_limit', { most: format.number(bulkLimit) })}
      </span>
    );
  return (
    <Button type="link" size="small" onClick={list.chooseEverything}>
      {t('expresses.select_all', { total: format.number(total) })}
    </Button>
  );
};

/** The ways to copy the selected parcels. Each copies one line per parcel. */
const copyingActions = (t: Say, language: Language): RowAction<readonly ExpressRow[]>[] => [
  {
    key: 'numbers',
    label: t('expresses.copy_numbers'),
    icon: <Icon of={CopyOutlined} />,
    run: (rows) =>
      void copyText(
        rows.map(numberOf).join('\n'),
        t('expresses.numbers_copied', { count: rows.length }),
      ),
  },
  {
    key: 'states',
    label: t('expresses.copy_states'),
    icon: <Icon of={CopyOutlined} />,
    run: (rows) =>
      void copyText(
        rows.map((row) => customerText(row, language)).join('\n'),
        t('expresses.states_copied', { count: rows.length }),
      ),
  },
];

/** The actions on the selected parcels. They are carried out in the order of the list. */
export const ParcelSelection = ({ list, rows, printing, onBulk }: Props) => {
  const { t, language } = useTexts();
  const format = useFormat();
  const more = useRef<HTMLButtonElement>(null);
  const paper = useRef<HTMLButtonElement>(null);
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const [paperAnchor, setPaperAnchor] = useState<HTMLElement | null>(null);
  const { everything } = list;
  const count = everything ? (list.counts.total ?? 0) : rows.length;
  useShortcuts([
    { keys: 'b', label: t('expresses.bulk.more'), run: () => setAnchor(more.current) },
  ]);
  // If the same reason prevents the printing of all selected parcels, it is shown before printing.
  // Otherwise the parcels that cannot be printed are listed after printing.
  const reasons = new Set(rows.map((row) => printBlocked(row, language)));
  const [only = null] = reasons.size === 1 && !everything ? reasons : [];
  const blocked = (): string | null => only;
  const papers: RowAction<readonly ExpressRow[]>[] = [
    ...papersOf(printing.driver).map((paper): RowAction<readonly ExpressRow[]> => ({
      key: paper,
      label: t('common.print.on', { paper: paperWords(paper, t) }),
      icon: <Icon of={PrinterOutlined} />,
      blocked,
      run: (chosen) => printing.print(chosen, { format: paper }),
    })),
    {
      key: 'separate',
      label: t('common.print.separate'),
      icon: <Icon of={DownloadOutlined} />,
      blocked,
      run: (chosen) => printing.print(chosen, { separate: true }),
    },
    { key: 'preview', label: t('common.act.preview'), blocked, run: printing.preview },
  ];
  // On the board of exceptions, the actions that handle exceptions come first.
  const onBoard = list.place.values['exception'] !== undefined;
  const bulk = (onBoard ? onBoardActions : anywhere).map(
    (action): RowAction<readonly ExpressRow[]> => ({
      key: action,
      label: t(`expresses.bulk.title.${action}`),
      icon: <Icon of={icons[action]} />,
      danger: action === 'cancel' || action === 'intercept',
      run: () => onBulk(action),
    }),
  );
  const others: RowAction<readonly ExpressRow[]>[] = [
    ...(everything ? [] : copyingActions(t, language)),
    ...bulk,
  ];
  return (
    <SelectionBar
      list={list}
      count={t(everything ? 'expresses.everything' : 'expresses.selected', {
        count: format.number(count),
      })}
      all={<ChooseAll list={list} />}
    >
      <Button
        type="primary"
        icon={<Icon of={PrinterOutlined} />}
        disabled={only !== null}
        {...(only !== null && { title: only })}
        onClick={() => (count > 1 ? onBulk('print') : printing.print(rows))}
      >
        {t('expresses.print_selected', { count: format.number(count) })}
      </Button>
      {!everything && (
        <Button
          ref={paper}
          icon={<Icon of={DownOutlined} />}
          aria-label={t('common.print.paper')}
          aria-haspopup="menu"
          aria-expanded={paperAnchor !== null}
          onClick={() => setPaperAnchor(paper.current)}
        />
      )}
      <Button
        ref={more}
        aria-haspopup="menu"
        aria-expanded={anchor !== null}
        title={`${t('expresses.bulk.more')} (B)`}
        onClick={() => setAnchor(more.current)}
      >
        {t('expresses.bulk.more')}
      </Button>
      {paperAnchor && (
        <ActionMenu
          anchor={paperAnchor}
          row={rows}
          actions={papers}
          label={t('common.print.paper')}
          onClose={() => setPaperAnchor(null)}
        />
      )}
      {anchor && (
        <ActionMenu
          anchor={anchor}
          row={rows}
          actions={others}
          label={t('expresses.bulk.more')}
          onClose={() => setAnchor(null)}
        />
      )}
    </SelectionBar>
  );
};
