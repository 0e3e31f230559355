import { useState } from 'react';
import { columnLetters } from '@waystation/contract/base/column-letters.ts';
import {
  importFields,
  importHead,
  mapImport,
  noTitles,
  sampleImport,
} from '@waystation/contract/imports/import.ts';
import type {
  Import,
  ImportColumn,
  ImportField,
  ImportValues,
} from '@waystation/contract/imports/import.ts';
import { call } from '#base/call.ts';
import { useCall } from '#base/query.ts';
import { useTexts } from '#base/texts.ts';
import { useActions } from '#shell/submit/use-actions.ts';
import { useSubmit } from '#shell/submit/use-submit.ts';
import { Button } from '#ui/button.tsx';
import { SelectField } from '#ui/fields/choice-fields.tsx';
import { TextField } from '#ui/fields/text-field.tsx';
import { Notice } from '#ui/notice.tsx';
import primitives from '#ui/primitives.module.css';
import { ColumnsSample } from './columns-sample.tsx';
import styles from './imports.module.css';
import { importsShown, useImportWords } from './words.ts';

type ByColumn = Readonly<Record<number, ImportField>>;

/** How the sheet will be read: the row with the titles, and the field of each column. */
interface Reading {
  header_at: number;
  columns: readonly ImportColumn[];
  chosen: ByColumn;
}

/** The fields whose text is often the same in all rows of a sheet. */
const shared: readonly ImportField[] = ['goods', 'weight', 'remark'];

const missingOf = (chosen: readonly ImportField[]): ImportField[] =>
  chosen.includes('receive_text')
    ? []
    : (['receive_name', 'receive_phone', 'receive_address'] as const).filter(
        (field) => !chosen.includes(field),
      );

const byColumn = (mapping: Import['mapping']): ByColumn =>
  Object.fromEntries(
    Object.entries(mapping).map(([field, index]) => [index, field as ImportField]),
  );
const byField = (chosen: ByColumn): Import['mapping'] =>
  Object.fromEntries(Object.entries(chosen).map(([index, field]) => [field, Number(index)]));

/**
 * The choice of a workbook's sheet. When another sheet is chosen, it is read immediately, and its
 * columns are detected again.
 */
const SheetChoice = ({ found }: { found: Import }) => {
  const { t } = useTexts();
  const { busy, run } = useActions<'sheet'>(importsShown);
  if (found.sheets.length < 2) return null;
  return (
    <SelectField
      label={t('imports.map.sheet')}
      value={found.sheet}
      options={found.sheets.map(({ name, hidden }, value) => ({
        value,
        label: hidden === 1 ? t('imports.map.sheet_hidden', { name }) : name,
      }))}
      disabled={busy.has('sheet')}
      onChange={(sheet) => {
        if (sheet !== null && sheet !== found.sheet)
          void run(
            'sheet',
            async () =>
              void (await call(mapImport, {
                id: found.id,
                version: found.version,
                sheet,
                mapping: {},
              })),
          );
      }}
      hint={t('imports.map.sheet_hint')}
    />
  );
};

/** The choice of the row that contains the titles. */
const TitlesChoice = ({
  found,
  header_at,
  onChange,
}: {
  found: Import;
  header_at: number;
  onChange: (header_at: number) => void;
}) => {
  const { t } = useTexts();
  const { data } = useCall(importHead, { id: found.id }, { quiet: true });
  if (data === undefined || data.rows.length === 0) return null;
  const words = (cells: readonly string[]): string =>
    cells.filter((cell) => cell !== '').join(' · ');
  return (
    <SelectField
      label={t('imports.map.titles')}
      value={header_at}
      options={[
        { value: noTitles, label: t('imports.map.no_titles') },
        ...data.rows.map(({ line, cells }, value) => ({
          value,
          label: t('imports.map.title_row', { line, text: words(cells) }),
        })),
      ]}
      onChange={(next) => next !== null && next !== header_at && onChange(next)}
      hint={t(
        header_at === found.header_at ? 'imports.map.titles_hint' : 'imports.map.titles_changed',
      )}
    />
  );
};

interface ColumnsProps {
  reading: Reading;
  /** True if reasons name the columns by their letters, such as A or B. */
  isLettered: boolean;
  onChoose: (index: number, field: ImportField | null) => void;
}

/** The columns of the file, each with some of its values and a choice of its field. */
const Columns = ({ reading: { columns, chosen }, isLettered, onChoose }: ColumnsProps) => {
  const { t } = useTexts();
  return (
    <ul className={styles['columns']}>
      {columns.map(({ index, title, samples }) => {
        const own = title === '' ? t('imports.map.untitled', { index: index + 1 }) : title;
        const name = isLettered ? `${columnLetters(index)} · ${own}` : own;
        return (
          <li key={index} data-chosen={chosen[index] !== undefined || undefined}>
            <strong title={name}>{name}</strong>
            <span className={styles['samples']}>{samples.join(' · ') || '—'}</span>
            <SelectField
              label={t('imports.map.of', { title: name })}
              bare
              value={chosen[index] ?? null}
              options={importFields.map((value) => ({
                value,
                label: t(`imports.fields.${value}`),
              }))}
              none={t('imports.map.none')}
              onChange={(field) => onChoose(index, field)}
            />
          </li>
        );
      })}
    </ul>
  );
};

/** The fields whose text is typed once and applies to all rows. */
const Shared = ({
  defaults,
  onChange,
}: {
  defaults: ImportValues;
  onChange: (defaults: ImportValues) => void;
}) => {
  const { t } = useTexts();
  return (
    <>
      <h3>{t('imports.map.defaults')}</h3>
      <p className={styles['quiet']}>{t('imports.map.defaults_hint')}</p>
      <div className={styles['defaults']}>
        {shared.map((field) => (
          <TextField
            key={field}
            label={t(`imports.fields.${field}`)}
            value={defaults[field] ?? ''}
            onChange={(text) => onChange({ ...defaults, [field]: text })}
          />
        ))}
      </div>
    </>
  );
};

/**
 * Lets the user choose the row with the column titles and the field for each column. Shows how the
 * first rows are then read.
 */
export const Mapping = ({ found, onDone }: { found: Import; onDone: () => void }) => {
  const { t, language } = useTexts();
  const words = useImportWords();
  const [reading, setReading] = useState<Reading>(() => ({
    header_at: found.header_at ?? noTitles,
    columns: found.columns,
    chosen: byColumn(found.mapping),
  }));
  const [defaults, setDefaults] = useState<ImportValues>(found.defaults);
  const [tried, setTried] = useState(false);
  const { run } = useActions<'titles'>();
  const fields = Object.values(reading.chosen);
  const missing = missingOf(fields);
  const twice = importFields.filter((field) => fields.filter((each) => each === field).length > 1);
  const named = (some: readonly ImportField[]): string =>
    some.map((field) => t(`imports.fields.${field}`)).join(language === 'zh' ? '、' : ', ');
  const problem =
    missing.length > 0
      ? t('imports.map.missing', { fields: named(missing) })
      : twice.length > 0
        ? t('imports.map.twice', { field: named(twice) })
        : undefined;
  const chooseTitles = (header_at: number): void =>
    void run('titles', async () => {
      const { columns, mapping } = await call(sampleImport, { id: found.id, header_at });
      setReading({ header_at, columns, chosen: byColumn(mapping) });
    });
  const choose = (index: number, field: ImportField | null): void => {
    const { [index]: _before, ...rest } = reading.chosen;
    setReading({ ...reading, chosen: field === null ? rest : { ...rest, [index]: field } });
  };
  const mapping = byField(reading.chosen);
  const { failure, busy, submit } = useSubmit({
    refreshes: importsShown,
    send: async () => {
      const { header_at } = reading;
      await call(mapImport, {
        id: found.id,
        version: found.version,
        mapping,
        defaults,
        ...(header_at !== found.header_at && { header_at }),
      });
      return null;
    },
    onDone,
  });
  return (
    <form
      className={styles['mapping']}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        setTried(true);
        void submit({ mapping: problem });
      }}
    >
      <div>
        <h2>{t('imports.map.title')}</h2>
        <p className={styles['quiet']}>{t('imports.map.hint')}</p>
      </div>
      {found.reason !== null && <Notice tone="warn">{words.reason(found.reason)}</Notice>}
      <div className={styles['origins']}>
        <SheetChoice found={found} />
        <TitlesChoice found={found} header_at={reading.header_at} onChange={chooseTitles} />
      </div>
      <Columns
        reading={reading}
        isLettered={found.reason?.code === 'import_columns_equal'}
        onChoose={choose}
      />
      <Shared defaults={defaults} onChange={setDefaults} />
      <ColumnsSample
        id={found.id}
        header_at={reading.header_at}
        mapping={mapping}
        defaults={defaults}
      />
      {tried && problem !== undefined && <Notice tone="danger">{problem}</Notice>}
      {failure !== null && <Notice tone="danger">{failure}</Notice>}
      <div className={primitives['buttons']}>
        <Button type="primary" htmlType="submit" loading={busy}>
          {t('imports.map.done')}
        </Button>
        {found.status === 'ready' && <Button onClick={onDone}>{t('imports.map.keep')}</Button>}
      </div>
    </form>
  );
};
