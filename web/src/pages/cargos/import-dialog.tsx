import { useState } from 'react';
import { commonCargos, importCargos, readCargoSheet } from '@waystation/contract/parcels/cargo.ts';
import type { CargoLine, CargoSheet } from '@waystation/contract/parcels/cargo.ts';
import { firstProvider } from '@waystation/contract/network/provider.ts';
import { requestExport } from '@waystation/contract/shell/exports.ts';
import { mostCargoSheetBytes } from '@waystation/contract/base/limits.ts';
import { call, callFile } from '#base/call.ts';
import { saveFile } from '#base/save-file.ts';
import { useTexts } from '#base/texts.ts';
import { SheetProblems } from '#resource/form/sheet-problems.tsx';
import { SubmitDialog } from '#resource/form/submit-dialog.tsx';
import { shownValue } from '#resource/record/record-words.ts';
import { useUser } from '#shell/session/session.ts';
import { useActions } from '#shell/submit/use-actions.ts';
import { useSubmit } from '#shell/submit/use-submit.ts';
import { Button } from '#ui/button.tsx';
import { FileDrop } from '#ui/fields/file-drop.tsx';
import styles from './cargos.module.css';
import { useCargoWords } from './words.ts';
import type { CargoField } from './words.ts';

const fields: readonly CargoField[] = [
  'name',
  'type',
  'provider',
  'priority',
  'banned',
  'banned_reason',
  'status',
];

/** Goods that most networks ship, as rows of an uploaded sheet. */
const commonLines = (): CargoLine[] =>
  commonCargos.map(({ name, type }, at) => ({
    line: at + 1,
    state: 'new',
    version: null,
    values: {
      name,
      type,
      provider: firstProvider,
      priority: (commonCargos.length - at) * 10,
      banned: 0,
      banned_reason: '',
      status: 1,
    },
    before: null,
  }));

const countsOf = (rows: readonly CargoLine[]) => {
  const count = (state: CargoLine['state']): number =>
    rows.filter((row) => row.state === state).length;
  return { created: count('new'), changed: count('changed'), unchanged: count('unchanged') };
};

/** Shows which goods the import would create and change, field by field. */
const Lines = ({ rows }: { rows: readonly CargoLine[] }) => {
  const { t, language } = useTexts();
  const words = useCargoWords();
  const shown = rows.filter(({ state }) => state !== 'unchanged');
  const change = ({ values, before }: CargoLine, field: CargoField): string =>
    before === null
      ? shownValue(words[field], values[field])
      : `${words[field].label} ${shownValue(words[field], before[field]) || '—'} → ${shownValue(words[field], values[field]) || '—'}`;
  const saying = (row: CargoLine): string =>
    (row.before === null
      ? (['provider', 'type', 'banned_reason'] as const).filter((field) => row.values[field] !== '')
      : fields.filter((field) => row.values[field] !== row.before![field])
    )
      .map((field) => change(row, field))
      .join(row.before === null ? ' · ' : language === 'zh' ? '；' : '; ');
  return (
    <>
      <p role="status">
        {shown.length === 0 ? t('cargos.import_same') : t('cargos.import_counts', countsOf(rows))}
      </p>
      {shown.length > 0 && (
        <ul className={styles['lines']} tabIndex={0} aria-label={t('cargos.import_rows')}>
          {shown.map((row) => (
            <li key={row.line}>
              <strong>{row.values.name}</strong>
              <span className={styles['quiet']}>{saying(row)}</span>
              <span className={styles['mark']} data-state={row.state}>
                {t(row.state === 'new' ? 'cargos.import_new' : 'cargos.import_changed')}
              </span>
            </li>
          ))}
        </ul>
      )}
    </>
  );
};

/**
 * Downloads the existing goods as a file to edit. If there are no goods, the file contains only the
 * column titles.
 */
const Download = () => {
  const { t, language } = useTexts();
  const words = useCargoWords();
  const { busy, run } = useActions<'file'>();
  const download = () =>
    run('file', async () => {
      const columns = fields.map((key) => ({ key, title: words[key].label }));
      const { blob, name } = await callFile(requestExport, {
        list: 'cargos',
        filters: { sort: '-priority' },
        columns,
        format: 'xlsx',
        language,
      });
      saveFile(blob, name);
    });
  return (
    <Button size="small" loading={busy.size > 0} onClick={() => void download()}>
      {t('cargos.import_download')}
    </Button>
  );
};

interface Props {
  /** True to show the list of common goods instead of asking for a file. */
  common: boolean;
  onDone: () => void;
  onClose: () => void;
}

/** The dialog that imports goods from a sheet and shows them before the import. */
export const ImportDialog = ({ common, onDone, onClose }: Props) => {
  const { t, language } = useTexts();
  const user = useUser();
  const [file, setFile] = useState<File | null>(null);
  const [sheet, setSheet] = useState<CargoSheet | null>(() =>
    common ? { rows: commonLines(), problems: [], problems_total: 0 } : null,
  );
  const rows = sheet?.rows ?? [];
  const counts = countsOf(rows);
  const problem = (candidate: File | null): string | undefined => {
    if (candidate === null) return t('common.required');
    if (!/\.(xlsx|csv)$/i.test(candidate.name)) return t('cargos.import_kind');
    return candidate.size > mostCargoSheetBytes ? t('cargos.import_large') : undefined;
  };
  const reading = useSubmit({
    fields: ['file'],
    send: async () => {
      const form = new FormData();
      form.set('language', language);
      form.set('file', file!);
      setSheet(await call(readCargoSheet, form));
      return null;
    },
  });
  const importing = useSubmit({
    send: async (idempotencyKey) => {
      const { created, changed } = await call(
        importCargos,
        { rows: rows.map(({ version, values }) => ({ version, ...values })) },
        { idempotencyKey },
      );
      return t('cargos.imported', { created, changed });
    },
    onDone,
  });
  const again = (): void => {
    importing.clearErrors();
    setSheet(null);
  };
  if (rows.length > 0)
    return (
      <SubmitDialog
        title={t(common ? 'cargos.common' : 'cargos.import_title')}
        ok={t('cargos.import_do')}
        width={560}
        sending={importing}
        blocked={counts.created + counts.changed === 0}
        onClose={onClose}
      >
        <Lines rows={rows} />
        {!common && (
          <div>
            <Button size="small" onClick={again}>
              {t('cargos.import_back')}
            </Button>
          </div>
        )}
      </SubmitDialog>
    );
  return (
    <SubmitDialog
      title={t('cargos.import_title')}
      ok={t('cargos.import_read')}
      width={560}
      sending={reading}
      check={() => ({ file: problem(file) })}
      onClose={onClose}
    >
      <p className={styles['quiet']}>{t('cargos.import_hint')}</p>
      {user.may_export === 1 && (
        <div>
          <Download />
        </div>
      )}
      <FileDrop
        file={file}
        accept=".xlsx,.csv"
        hint={t('cargos.import_drop')}
        error={reading.errors['file'] ?? (file === null ? undefined : problem(file))}
        onFile={(next) => {
          reading.clearErrors();
          setSheet(null);
          setFile(next);
        }}
      />
      {sheet !== null && sheet.problems_total > 0 && (
        <SheetProblems problems={sheet.problems} total={sheet.problems_total} />
      )}
    </SubmitDialog>
  );
};
