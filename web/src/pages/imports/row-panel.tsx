import { useState } from 'react';
import { office } from '@waystation/contract/base/roles.ts';
import { changeImportRows } from '@waystation/contract/imports/import.ts';
import type {
  Import,
  ImportField,
  ImportProblem,
  ImportRow,
} from '@waystation/contract/imports/import.ts';
import { choiceText } from '@waystation/contract/network/offer-choice-words.ts';
import { call } from '#base/call.ts';
import { useTexts } from '#base/texts.ts';
import { useUser } from '#shell/session/session.ts';
import { useActions } from '#shell/submit/use-actions.ts';
import { Button } from '#ui/button.tsx';
import { lazyComponent } from '#ui/lazy.tsx';
import { notify } from '#ui/overlay/notify.tsx';
import primitives from '#ui/primitives.module.css';
import styles from './imports.module.css';
import { RevealRow } from './reveal-row.tsx';
import { fixableAt } from './grid-keys.ts';
import { isOut } from './use-row-edits.ts';
import { importsShown, useImportWords } from './words.ts';

const GoodsDialog = lazyComponent(async () => (await import('./goods-dialog.tsx')).GoodsDialog);

interface Props {
  found: Import;
  row: ImportRow | undefined;
  field: ImportField;
  busy: boolean;
  onFix: (field: ImportField, text: string) => void;
  onExclude: () => void;
}

/** The problems of the selected row, with a key that applies each suggestion. */
export const RowPanel = ({ found, row, field, busy, onFix, onExclude }: Props) => {
  const { t, language } = useTexts();
  const words = useImportWords();
  const { busy: sending, run } = useActions<'all'>(importsShown);
  const problems = row?.problems ?? [];
  const first = fixableAt(problems, field);
  const unknown = problems.find(({ reason }) => reason.code === 'goods_not_offered');
  const makesGoods = office.includes(useUser().role);
  const [goods, setGoods] = useState<{ no: number; name: string } | null>(null);
  const fixAll = (problem: ImportProblem): void =>
    void run('all', async () => {
      const { changed } = await call(changeImportRows, {
        id: found.id,
        version: found.version,
        action: 'take',
        field: problem.field!,
        code: problem.reason.code,
      });
      notify.success(t('imports.grid.changed', { count: changed }));
    });
  const isOver = row?.mark === 'ordered' || row?.mark === 'waiting';
  return (
    <div className={styles['panel']} aria-live="polite">
      {row?.reason && <p data-level="error">{words.reason(row.reason)}</p>}
      {problems.map((problem) => (
        <p key={`${problem.field} ${problem.reason.code}`} data-level={problem.level}>
          {problem.field !== null && <strong>{t(`imports.fields.${problem.field}`)}</strong>}{' '}
          {words.reason(problem.reason)}
        </p>
      ))}
      {row?.choice && <p>{choiceText(row.choice, language)}</p>}
      <div className={primitives['buttons']}>
        {first?.fixes?.map((text, place) => (
          <Button key={text} size="small" disabled={busy} onClick={() => onFix(first.field!, text)}>
            {first.field !== field && `${t(`imports.fields.${first.field!}`)} `}
            {t('imports.grid.fix', { text })} <kbd>Alt {place + 1}</kbd>
          </Button>
        ))}
        {first !== undefined && (
          <Button size="small" loading={sending.has('all')} onClick={() => fixAll(first)}>
            {t('imports.grid.fix_all')}
          </Button>
        )}
        {row !== undefined && unknown !== undefined && makesGoods && (
          <Button
            size="small"
            onClick={() => setGoods({ no: row.no, name: row.values.goods ?? '' })}
          >
            {t('imports.grid.new_goods', { name: row.values.goods ?? '' })}
          </Button>
        )}
        {row !== undefined && found.phones_shown === 0 && (
          <RevealRow key={`${row.no} ${row.version}`} found={found} row={row} />
        )}
        {row !== undefined && !isOver && (
          <Button size="small" disabled={busy} onClick={onExclude}>
            {t(isOut(row) ? 'imports.grid.include' : 'imports.grid.exclude')}
          </Button>
        )}
      </div>
      {goods !== null && <GoodsDialog found={found} {...goods} onClose={() => setGoods(null)} />}
      <p className={styles['quiet']}>{busy ? t('imports.grid.saving') : t('imports.grid.keys')}</p>
    </div>
  );
};
