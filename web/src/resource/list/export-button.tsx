import { DownloadOutlined } from '@ant-design/icons-svg';
import { useState } from 'react';
import { exportFormats, mostChosen, requestExport } from '@waystation/contract/shell/exports.ts';
import type { ExportFormat } from '@waystation/contract/shell/exports.ts';
import { ApiError } from '#base/api-error.ts';
import { callFile } from '#base/call.ts';
import { useFormat } from '#base/format.ts';
import { useUser } from '#shell/session/session.ts';
import { useSubmit } from '#shell/submit/use-submit.ts';
import { saveFile } from '#base/save-file.ts';
import { useTexts } from '#base/texts.ts';
import { Button } from '#ui/button.tsx';
import type { Column } from '#resource/table/column.ts';
import { FirstRows } from '#ui/first-rows.tsx';
import { FormDialog } from '#ui/overlay/form-dialog.tsx';
import { Icon } from '#ui/icon.tsx';
import primitives from '#ui/primitives.module.css';
import styles from './list.module.css';
import { useCountText } from './count-words.tsx';
import { filterInput } from './list-filters.ts';
import type { Arranged } from './column-arrangement.ts';
import { useRowNames } from './row-names.ts';
import type { AnyList } from './use-list.ts';

/** A field of an exported file, with its title. The column with the actions is not exported. */
interface Field {
  key: string;
  title: string;
}

const fieldsOf = <R,>(column: Column<R>): readonly Field[] =>
  column.exports ?? (column.key === 'actions' ? [] : [{ key: column.key, title: column.title }]);

const uniqueFields = (fields: readonly Field[]): Field[] =>
  [...new Map(fields.toReversed().map((field) => [field.key, field])).values()].toReversed();

/**
 * The id of the job that exports the rows if there are too many for a direct response; otherwise
 * null.
 */
const jobOf = (error: unknown): number | null => {
  const id =
    error instanceof ApiError && error.status === 200
      ? (error.body as { data?: { job_id?: unknown } }).data?.job_id
      : null;
  return typeof id === 'number' ? id : null;
};

interface FieldChoiceProps {
  every: readonly Field[];
  /** The fields that the exported file will contain. */
  fields: readonly Field[];
  /** True if the selected fields are exactly the fields of the displayed columns. */
  isShown: boolean;
  /** Called with null if the displayed columns shall be exported. */
  onChange: (chosen: ReadonlySet<string> | null) => void;
}

/**
 * The choice of the fields in the exported file: the displayed columns, all fields, or single
 * fields.
 */
const FieldChoice = ({ every, fields, isShown, onChange }: FieldChoiceProps) => {
  const { t } = useTexts();
  const toggle = (key: string): void => {
    const next = new Set(fields.map((field) => field.key));
    if (!next.delete(key)) next.add(key);
    onChange(next);
  };
  return (
    <>
      <fieldset className={styles['density']}>
        <legend>{t('lists.export_fields')}</legend>
        <button type="button" aria-pressed={isShown} onClick={() => onChange(null)}>
          {t('lists.export_shown')}
        </button>
        <button
          type="button"
          aria-pressed={!isShown && fields.length === every.length}
          onClick={() => onChange(new Set(every.map(({ key }) => key)))}
        >
          {t('lists.export_all', { count: every.length })}
        </button>
      </fieldset>
      <div className={styles['picks']} role="group" aria-label={t('lists.export_fields')}>
        {every.map(({ key, title }) => (
          <label key={key} className={`${primitives['row']} ${styles['column']}`}>
            <input
              type="checkbox"
              checked={fields.some((field) => field.key === key)}
              onChange={() => toggle(key)}
            />
            <span title={title}>{title}</span>
          </label>
        ))}
      </div>
    </>
  );
};

interface Props<R> {
  list: Pick<
    AnyList,
    'name' | 'place' | 'rows' | 'counts' | 'openJob' | 'chosen' | 'everything' | 'exportsChosen'
  >;
  arranged: Pick<Arranged<R>, 'shown' | 'all'>;
}

/**
 * The button that exports the list with its displayed columns, filters and order. It is shown only
 * to accounts that may export.
 */
export const ExportButton = <R,>(props: Props<R>) =>
  useUser().may_export === 1 && <Exporting {...props} />;

const Exporting = <R,>({ list, arranged }: Props<R>) => {
  const { t, language } = useTexts();
  const format = useFormat();
  const matching = useCountText(list.counts);
  const [all, setAll] = useState(false);
  const some =
    list.exportsChosen &&
    !list.everything &&
    list.chosen.length > 0 &&
    list.chosen.length <= mostChosen;
  // The ids of the selected rows, in the order of the list. If it is null, all matching rows are
  // exported.
  const ids = some && !all ? list.chosen.map(({ id }) => id) : null;
  const count = ids === null ? matching : format.number(ids.length);
  const names = useRowNames(list.chosen);
  const [open, setOpen] = useState(false);
  const [kind, setKind] = useState<ExportFormat>('xlsx');
  // Null means that the displayed columns are exported.
  const [chosen, setChosen] = useState<ReadonlySet<string> | null>(null);
  const shown = arranged.shown.flatMap(fieldsOf);
  const every = uniqueFields([...shown, ...arranged.all.flatMap(fieldsOf)]);
  const fields = chosen === null ? shown : every.filter(({ key }) => chosen.has(key));
  const sending = useSubmit({
    send: async () => {
      const filters = { ...filterInput(list.place), sort: list.place.sort };
      try {
        const file = await callFile(requestExport, {
          list: list.name,
          filters,
          ...(ids !== null && { ids }),
          columns: [...fields],
          format: kind,
          language,
        });
        saveFile(file.blob, file.name);
        return t('lists.exported', { name: file.name });
      } catch (error) {
        const job = jobOf(error);
        if (job === null) throw error;
        list.openJob(job);
        return null;
      }
    },
    onDone: () => setOpen(false),
  });
  const show = (): void => {
    sending.clearErrors();
    setAll(false);
    setOpen(true);
    if (!list.counts.busy) void list.counts.calculate?.();
  };
  return (
    <>
      <Button
        icon={<Icon of={DownloadOutlined} />}
        disabled={!list.rows || (list.rows.length === 0 && list.place.page === 1)}
        onClick={show}
      >
        {some
          ? t('lists.export_chosen', { count: format.number(list.chosen.length) })
          : t('lists.export')}
      </Button>
      <FormDialog
        open={open}
        title={t('lists.export')}
        ok={t('lists.export_do')}
        busy={sending.busy}
        blocked={fields.length === 0}
        width={560}
        failure={sending.failure}
        onSubmit={() => void sending.submit()}
        onClose={() => setOpen(false)}
      >
        <p>
          {t('lists.export_what', {
            count,
            fields: fields.length,
          })}
        </p>
        {ids !== null && <FirstRows names={names} count={ids.length} />}
        {some && (
          <fieldset className={styles['density']}>
            <legend>{t('lists.export_rows')}</legend>
            <button type="button" aria-pressed={!all} onClick={() => setAll(false)}>
              {t('lists.export_rows_chosen', { count: format.number(list.chosen.length) })}
            </button>
            <button type="button" aria-pressed={all} onClick={() => setAll(true)}>
              {t('lists.export_rows_all')}
            </button>
          </fieldset>
        )}
        <FieldChoice every={every} fields={fields} isShown={chosen === null} onChange={setChosen} />
        <fieldset className={styles['density']}>
          <legend>{t('lists.format')}</legend>
          {exportFormats.map((each) => (
            <button
              key={each}
              type="button"
              aria-pressed={kind === each}
              onClick={() => setKind(each)}
            >
              {each.toUpperCase()}
            </button>
          ))}
        </fieldset>
      </FormDialog>
    </>
  );
};
