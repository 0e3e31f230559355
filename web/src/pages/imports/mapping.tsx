import { useState } from 'react';
import { importFields, mapImport } from '@waystation/contract/import.ts';
import type { Import, ImportField, ImportValues } from '@waystation/contract/import.ts';
import { call } from '#base/call.ts';
import { useTexts } from '#base/texts.ts';
import { useActions } from '#shell/submit/use-actions.ts';
import { useSubmit } from '#shell/submit/use-submit.ts';
import { Button } from '#ui/button.tsx';
import { SelectField } from '#ui/fields/choice-fields.tsx';
import { TextField } from '#ui/fields/text-field.tsx';
import { Notice } from '#ui/notice.tsx';
import primitives from '#ui/primitives.module.css';
import styles from './imports.module.css';
import { importsShown, useImportWords } from './words.ts';

type ByColumn = Readonly<Record<number, ImportField>>;

/** Fields that all rows of a sheet often have alike. */
const shared: readonly ImportField[] = ['goods', 'weight', 'remark'];

const missingOf = (chosen: readonly ImportField[]): ImportField[] =>
  chosen.includes('receive_text') ? [] : (['receive_name', 'receive_phone', 'receive_address'] as const).filter((field) => !chosen.includes(field));

/** Which sheet of a workbook is read; another one is read at once, and its columns are found as those of a new file. */
const SheetChoice = ({ found }: { found: Import }) => {
  const { t } = useTexts();
  const { busy, run } = useActions<'sheet'>(importsShown);
  if (found.sheets.length < 2) return null;
  return (
    <div className={styles['defaults']}>
      <SelectField
        label={t('imports.map.sheet')}
        value={found.sheet}
        options={found.sheets.map(({ name, hidden }, value) => ({ value, label: hidden === 1 ? t('imports.map.sheet_hidden', { name }) : name }))}
        disabled={busy.has('sheet')}
        onChange={(sheet) => {
          if (sheet !== null && sheet !== found.sheet)
            void run('sheet', async () => void (await call(mapImport, { id: found.id, version: found.version, sheet, mapping: {} })));
        }}
        hint={t('imports.map.sheet_hint')}
      />
    </div>
  );
};

/** Columns of the sheet, each with a few of its values, and what each of them is. */
export const Mapping = ({ found, onDone }: { found: Import; onDone: () => void }) => {
  const { t, language } = useTexts();
  const words = useImportWords();
  const [chosen, setChosen] = useState<ByColumn>(() =>
    Object.fromEntries(Object.entries(found.mapping).map(([field, index]) => [index, field as ImportField])),
  );
  const [defaults, setDefaults] = useState<ImportValues>(found.defaults);
  const [tried, setTried] = useState(false);
  const fields = Object.values(chosen);
  const missing = missingOf(fields);
  const twice = importFields.filter((field) => fields.filter((each) => each === field).length > 1);
  const named = (some: readonly ImportField[]): string => some.map((field) => t(`imports.fields.${field}`)).join(language === 'zh' ? '、' : ', ');
  const problem =
    missing.length > 0 ? t('imports.map.missing', { fields: named(missing) }) : twice.length > 0 ? t('imports.map.twice', { field: named(twice) }) : undefined;
  const choose = (index: number, field: ImportField | null): void => {
    const { [index]: _before, ...rest } = chosen;
    setChosen(field === null ? rest : { ...rest, [index]: field });
  };
  const { failure, busy, submit } = useSubmit({
    refreshes: importsShown,
    send: async () => {
      const mapping = Object.fromEntries(Object.entries(chosen).map(([index, field]) => [field, Number(index)]));
      await call(mapImport, { id: found.id, version: found.version, mapping, defaults });
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
      <h2>{t('imports.map.title')}</h2>
      <p className={styles['quiet']}>{t('imports.map.hint')}</p>
      <SheetChoice found={found} />
      {found.reason !== null && <Notice tone="warn">{words.reason(found.reason)}</Notice>}
      <ul className={styles['columns']}>
        {found.columns.map(({ index, title, samples }) => {
          const name = title === '' ? t('imports.map.untitled', { index: index + 1 }) : title;
          return (
            <li key={index} data-chosen={chosen[index] !== undefined || undefined}>
              <strong>{name}</strong>
              <span className={styles['samples']}>{samples.join(' · ') || '—'}</span>
              <SelectField
                label={t('imports.map.of', { title: name })}
                bare
                value={chosen[index] ?? null}
                options={importFields.map((value) => ({ value, label: t(`imports.fields.${value}`) }))}
                none={t('imports.map.none')}
                onChange={(field) => choose(index, field)}
              />
            </li>
          );
        })}
      </ul>
      <h3>{t('imports.map.defaults')}</h3>
      <p className={styles['quiet']}>{t('imports.map.defaults_hint')}</p>
      <div className={styles['defaults']}>
        {shared.map((field) => (
          <TextField
            key={field}
            label={t(`imports.fields.${field}`)}
            value={defaults[field] ?? ''}
            onChange={(text) => setDefaults({ ...defaults, [field]: text })}
          />
        ))}
      </div>
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
