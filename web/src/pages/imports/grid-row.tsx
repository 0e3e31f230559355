import { memo, useState } from 'react';
import { importMarks } from '@waystation/contract/imports/import.ts';
import type { ImportField, ImportMark, ImportRow } from '@waystation/contract/imports/import.ts';
import { useTexts } from '#base/texts.ts';
import { worstOf } from './grid-fields.ts';
import { rowHeight } from './grid-keys.ts';
import styles from './imports.module.css';
import type { RowEdits } from './use-row-edits.ts';
import { useImportWords } from './words.ts';

const byLetter = Object.fromEntries(
  Object.entries(importMarks).map(([mark, letter]) => [letter, mark]),
) as Record<string, ImportMark>;

interface EditorProps {
  label: string;
  text: string;
  edits: RowEdits;
  onDone: (text: string, step: 'down' | 'right') => Promise<void>;
  onCancel: () => void;
}

/**
 * The input of a cell that is being edited. Enter saves the text and moves down; Tab saves it and
 * moves right; Escape discards it.
 */
const Editor = ({
  label,
  text,
  edits: { editing, failure, busy },
  onDone,
  onCancel,
}: EditorProps) => {
  const { t } = useTexts();
  const [value, setValue] = useState(editing?.typed ?? text);
  // If a composition is cancelled, the cell stays unchanged.
  const done = (step: 'down' | 'right'): Promise<void> =>
    onDone(editing?.typed === '' && value === '' ? text : value, step);
  return (
    <input
      className={styles['editor']}
      // oxlint-disable-next-line jsx-a11y/no-autofocus -- the key that opened it is typed here
      autoFocus
      aria-label={label}
      aria-invalid={failure !== null || undefined}
      title={failure === null ? undefined : t('imports.grid.unsaved', { reason: failure })}
      readOnly={busy}
      value={value}
      onFocus={(event) => editing?.typed === null && event.target.select()}
      onChange={(event) => setValue(event.target.value)}
      onBlur={() => failure === null && void done('down')}
      onKeyDown={(event) => {
        if (event.nativeEvent.isComposing) return;
        event.stopPropagation();
        if (event.key === 'Escape') onCancel();
        else if (event.key === 'Enter' || event.key === 'Tab')
          void done(event.key === 'Tab' ? 'right' : 'down');
        else return;
        event.preventDefault();
      }}
    />
  );
};

interface Props {
  no: number;
  /** The index of the row among the shown rows. */
  place: number;
  row: ImportRow | undefined;
  /** The state of the row, as one of the letters in `importMarks`. */
  mark: string;
  fields: readonly ImportField[];
  /** The field of the selected cell if that cell is in this row; otherwise null. */
  activeField: ImportField | null;
  editor: Omit<EditorProps, 'label' | 'text'> | null;
  onChoose: (no: number, field: ImportField) => void;
  onBegin: () => void;
}

/**
 * One row of the sheet: its line number in the file, its state, and its fields with their problems.
 * It is rendered again only if its own data change.
 */
export const GridRow = memo(
  ({ no, place, row, mark, fields, activeField, editor, onChoose, onBegin }: Props) => {
    const { t } = useTexts();
    const words = useImportWords();
    const state = byLetter[mark] ?? 'ok';
    return (
      <div
        className={styles['gridRow']}
        role="row"
        aria-rowindex={place + 2}
        aria-selected={activeField !== null}
        data-mark={state}
        style={{ top: place * rowHeight }}
      >
        <span role="rowheader" className={`${styles['line']} tabular`}>
          {row?.line ?? ''}
        </span>
        <span role="gridcell" className={styles['mark']} data-mark={state}>
          {t(`imports.marks.${state}`)}
        </span>
        {fields.map((field) => {
          // A problem is not shown in an excluded row, because that row is not ordered.
          const problem =
            state === 'excluded'
              ? undefined
              : worstOf(row?.problems.filter((each) => each.field === field) ?? []);
          const text = row?.values[field] ?? '';
          const isActive = field === activeField;
          return (
            // The grid has the focus and handles the keys.
            // oxlint-disable-next-line jsx-a11y/click-events-have-key-events,
            // jsx-a11y/interactive-supports-focus
            <span
              key={field}
              id={`cell-${no}-${field}`}
              role="gridcell"
              className={styles['cell']}
              data-field={field}
              data-level={problem?.level}
              data-active={isActive || undefined}
              aria-selected={isActive}
              aria-invalid={problem?.level === 'error' || undefined}
              title={problem === undefined ? text : words.reason(problem.reason)}
              onClick={() => onChoose(no, field)}
              onDoubleClick={onBegin}
            >
              {isActive && editor !== null && editor.edits.editing !== null ? (
                <Editor
                  {...editor}
                  label={t('imports.grid.edit', { field: t(`imports.fields.${field}`) })}
                  text={text}
                />
              ) : (
                text
              )}
            </span>
          );
        })}
      </div>
    );
  },
);
