import { RedoOutlined, UndoOutlined } from '@ant-design/icons-svg';
import { useEffect, useMemo, useRef, useState } from 'react';
import type { RefObject } from 'react';
import {
  changeImportRows,
  importMarks,
  importMarksOf,
  listImportRows,
} from '@waystation/contract/imports/import.ts';
import type { Import, ImportField } from '@waystation/contract/imports/import.ts';
import { call } from '#base/call.ts';
import { useFormat } from '#base/format.ts';
import { refresh, useCall } from '#base/query.ts';
import { useShortcuts } from '#base/shortcuts.ts';
import { useTexts } from '#base/texts.ts';
import { useSteady } from '#base/use-steady.ts';
import { useRowWindow } from '#resource/table/row-window.ts';
import { useActions } from '#shell/submit/use-actions.ts';
import { usePageSearch } from '#shell/tabs/page.ts';
import { Button } from '#ui/button.tsx';
import { Icon } from '#ui/icon.tsx';
import { notify } from '#ui/overlay/notify.tsx';
import primitives from '#ui/primitives.module.css';
import { Segmented } from '#ui/segmented.tsx';
import { EditsDialog } from './edits-dialog.tsx';
import type { EditKind } from './edits-dialog.tsx';
import { ErrorRail } from './error-rail.tsx';
import { gridWidth, shownFields } from './grid-fields.ts';
import { rowHeight, useGridKeys, useGridMoves } from './grid-keys.ts';
import type { Cell } from './grid-keys.ts';
import { GridRow } from './grid-row.tsx';
import styles from './imports.module.css';
import { RowPanel } from './row-panel.tsx';
import { useRowEdits } from './use-row-edits.ts';
import { useRows } from './use-rows.ts';
import { useSteps } from './use-steps.ts';
import type { Steps } from './use-steps.ts';
import { importsShown } from './words.ts';

/** The kinds of rows that the user can choose to show. */
const shows = ['all', 'error', 'warning', 'repaired', 'excluded', 'refused'] as const;
type Show = (typeof shows)[number];

/**
 * The numbers of the rows to show, in the order of the file. The row `stays` is included even if
 * its state changes, because it is selected.
 */
const numbersOf = (marks: string, show: Show, stays: number): number[] => {
  const letter = show === 'all' ? null : importMarks[show];
  const found: number[] = [];
  for (let at = 0; at < marks.length; at++)
    if (letter === null || marks[at] === letter || at + 1 === stays) found.push(at + 1);
  return found;
};

interface Doors {
  onMap: () => void;
  onPrice: () => void;
}

/**
 * The button that includes all excluded rows, or all refused rows, in the import again. These rows
 * are then checked again.
 */
const IncludeAll = ({ found, mark }: { found: Import; mark: 'excluded' | 'refused' }) => {
  const { t } = useTexts();
  const { busy, run } = useActions<'include'>(importsShown);
  const { id, version, counts } = found;
  const include = async (): Promise<void> => {
    const { changed } = await call(changeImportRows, {
      id,
      version,
      action: 'include',
      marks: [mark],
    });
    notify.success(t('imports.grid.changed', { count: changed }));
  };
  return (
    <Button
      loading={busy.has('include')}
      disabled={counts[mark] === 0}
      onClick={() => void run('include', include)}
    >
      {t('imports.grid.include_all', { count: counts[mark] })}
    </Button>
  );
};

interface BarProps extends Doors {
  found: Import;
  rows: number;
  show: Show;
  steps: Steps;
  onShow: (show: Show) => void;
  onError: () => void;
  onEdits: (kind: EditKind) => void;
}

/** The bar above the grid, with the choice of rows to show and the actions on many rows. */
const Bar = ({ found, rows, show, steps, onShow, onError, onEdits, onMap, onPrice }: BarProps) => {
  const { t } = useTexts();
  const format = useFormat();
  const { counts } = found;
  const options = shows
    .filter((each) => each === 'all' || each === show || counts[each] > 0)
    .map((value) => ({
      value,
      label:
        value === 'all'
          ? `${t('imports.all')} ${format.number(rows)}`
          : `${t(`imports.marks.${value}`)} ${format.number(counts[value])}`,
    }));
  const noPrice =
    counts.waiting > 0 ||
    (found.quote === null && counts.ok + counts.repaired + counts.warning === 0);
  useShortcuts([
    {
      keys: 'F9',
      label: t('imports.quote.do'),
      run: () => !noPrice && onPrice(),
      whileTyping: true,
    },
    {
      keys: 'F8',
      label: t('imports.grid.next_error'),
      run: () => counts.error > 0 && onError(),
      whileTyping: true,
    },
  ]);
  return (
    <div className={styles['bar']}>
      <Segmented
        label={t('imports.show')}
        size="small"
        value={show}
        options={options}
        onChange={onShow}
      />
      <div className={primitives['buttons']}>
        <Button disabled={counts.error === 0} onClick={onError}>
          {t('imports.grid.next_error')} <kbd>F8</kbd>
        </Button>
        <Button
          icon={<Icon of={UndoOutlined} />}
          title={t('imports.grid.undo_keys')}
          disabled={found.undo_steps === 0 || steps.busy}
          onClick={steps.undo}
        >
          {t('imports.grid.undo')}
        </Button>
        <Button
          icon={<Icon of={RedoOutlined} />}
          title={t('imports.grid.redo_keys')}
          disabled={found.redo_steps === 0 || steps.busy}
          onClick={steps.redo}
        >
          {t('imports.grid.redo')}
        </Button>
        {(show === 'excluded' || show === 'refused') && <IncludeAll found={found} mark={show} />}
        <Button onClick={() => onEdits('set')}>{t('imports.grid.set')}</Button>
        <Button onClick={() => onEdits('replace')}>{t('imports.grid.replace')}</Button>
        {found.status === 'ready' && <Button onClick={onMap}>{t('imports.step.map')}</Button>}
        <Button
          type="primary"
          disabled={noPrice}
          title={
            counts.waiting > 0 ? t('imports.quote.waiting', { count: counts.waiting }) : undefined
          }
          onClick={onPrice}
        >
          {t('imports.quote.do')} <kbd>F9</kbd>
        </Button>
      </div>
    </div>
  );
};

const Titles = ({ fields }: { fields: readonly ImportField[] }) => {
  const { t } = useTexts();
  return (
    <div
      className={styles['gridHead']}
      role="row"
      aria-rowindex={1}
      style={{ minWidth: gridWidth(fields) }}
    >
      <span role="columnheader" className={styles['line']}>
        {t('imports.grid.line')}
      </span>
      <span role="columnheader" className={styles['mark']}>
        {t('imports.grid.state')}
      </span>
      {fields.map((field) => (
        <span key={field} role="columnheader" className={styles['cell']} data-field={field}>
          {t(`imports.fields.${field}`)}
        </span>
      ))}
    </div>
  );
};

/** The states of all rows as one string. They are requested again after the import has changed. */
const useMarks = (found: Import): { marks: string; isRead: boolean } => {
  const { data } = useCall(
    importMarksOf,
    { id: found.id },
    { keep: true, quiet: true, staleTime: 0 },
  );
  const isBehind = data !== undefined && data.version < found.version;
  useEffect(() => {
    if (isBehind) void refresh(importMarksOf, listImportRows);
  }, [isBehind]);
  return { marks: data?.marks ?? '', isRead: data !== undefined && !isBehind };
};

/**
 * Moves the focus into the grid after the sheet was read. Scrolls until the current cell is
 * visible.
 */
const useCurrentCell = (box: RefObject<HTMLDivElement | null>, at: Cell, isRead: boolean): void => {
  // The button that was pressed for reading, matching or pricing has disappeared, and the focus
  // with it. So the grid gets the focus.
  useEffect(() => {
    if (isRead && document.activeElement === document.body && box.current?.checkVisibility())
      box.current.focus({ preventScroll: true });
  }, [box, isRead]);
  useEffect(() => {
    document
      .getElementById(`cell-${at.no}-${at.field}`)
      ?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [at]);
};

/**
 * The grid of all rows of the sheet. Users operate it by key: they move to errors and correct them,
 * and one key applies each suggestion.
 */
export const Grid = ({ found, ...doors }: Doors & { found: Import }) => {
  const { t } = useTexts();
  const [search, setSearch] = usePageSearch();
  const show = shows.find((each) => each === search['show']) ?? 'all';
  const { marks, isRead } = useMarks(found);
  const [at, setAt] = useState<Cell>({ no: 1, field: 'receive_name' });
  const [dialog, setDialog] = useState<EditKind | null>(null);
  const box = useRef<HTMLDivElement>(null);
  const { mapping, defaults } = found;
  const fields = useMemo(
    () => shownFields({ mapping, defaults }, at.field),
    [mapping, defaults, at.field],
  );
  // If all rows are shown, the selected row is visible in any case and needs no exception.
  const stays = show === 'all' ? 0 : at.no;
  const numbers = useMemo(() => numbersOf(marks, show, stays), [marks, show, stays]);
  const view = useRowWindow(box, numbers.length, rowHeight);
  const rows = useRows(found.id, numbers, view);
  const edits = useRowEdits(found.id);
  const moves = useGridMoves({ box, marks, numbers, fields, rows, at, setAt });
  const steps = useSteps(found, at, ({ no, field }) => moves.go(no, field));
  const keys = useGridKeys(
    { box, marks, isRead, numbers, fields, rows, at, setAt, edits, steps },
    moves,
  );
  const active = rows.get(at.no);
  useCurrentCell(box, at, isRead);
  const done = async (text: string, step: 'down' | 'right'): Promise<void> => {
    if (active === undefined || !(await edits.save(active, at.field, text))) return;
    if (step === 'down') moves.move(1);
    else moves.move(0, 1);
    box.current?.focus();
  };
  // The function is the same at each render, so that a row is rendered again only if its own data
  // change.
  const choose = useSteady(moves.go);
  const begin = useSteady(() => edits.begin(null));
  const leave = (): void => {
    edits.end();
    box.current?.focus();
  };
  return (
    <div className={styles['work']}>
      <Bar
        {...doors}
        found={found}
        rows={marks.length}
        show={show}
        steps={steps}
        onShow={(next) => setSearch({ show: next === 'all' ? undefined : next })}
        onError={() => {
          box.current?.focus({ preventScroll: true });
          keys.toNextError();
        }}
        onEdits={setDialog}
      />
      <div className={styles['gridBox']}>
        <ErrorRail marks={marks} numbers={numbers} onGo={moves.go} />
        <div
          ref={box}
          className={styles['grid']}
          role="grid"
          aria-label={t('imports.grid.label')}
          aria-rowcount={numbers.length + 1}
          aria-colcount={fields.length + 2}
          aria-activedescendant={active === undefined ? undefined : `cell-${at.no}-${at.field}`}
          tabIndex={0}
          aria-busy={keys.isWaiting || undefined}
          onKeyDown={keys.onKeyDown}
        >
          <Titles fields={fields} />
          {numbers.length === 0 && <p className={styles['none']}>{t('imports.grid.none')}</p>}
          <div
            className={styles['gridRows']}
            style={{ height: numbers.length * rowHeight, minWidth: gridWidth(fields) }}
            role="rowgroup"
          >
            {numbers.slice(view.start, view.end).map((no, index) => (
              <GridRow
                key={no}
                no={no}
                place={view.start + index}
                row={rows.get(no)}
                mark={marks[no - 1]!}
                fields={fields}
                activeField={no === at.no ? at.field : null}
                editor={no === at.no ? { edits, onDone: done, onCancel: leave } : null}
                onChoose={choose}
                onBegin={begin}
              />
            ))}
          </div>
        </div>
      </div>
      <RowPanel
        found={found}
        row={active}
        field={at.field}
        busy={edits.busy}
        onFix={(field, text) => active && void edits.save(active, field, text)}
        onExclude={() => active && void edits.exclude(active)}
      />
      {dialog !== null && (
        <EditsDialog
          found={found}
          kind={dialog}
          field={at.field}
          fields={fields}
          onClose={() => setDialog(null)}
        />
      )}
    </div>
  );
};
