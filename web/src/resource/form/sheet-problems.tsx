import { errorText, isErrorCode } from '#base/error-text.ts';
import type { CargoSheet } from '@waystation/contract/parcels/cargo.ts';
import { useTexts } from '#base/texts.ts';
import { Notice } from '#ui/notice.tsx';
import styles from './sheet-problems.module.css';

/** Lists the problems of an Excel file. Each problem has the name of its cell. */
export const SheetProblems = ({
  problems,
  total,
}: {
  problems: CargoSheet['problems'];
  total: number;
}) => {
  const { t, language } = useTexts();
  return (
    <>
      <Notice tone="danger">
        {t('lists.sheet_problems', { count: total })}
        {total > problems.length &&
          ` ${t('lists.sheet_problems_first', { count: problems.length })}`}
      </Notice>
      <ul className={styles['problems']} tabIndex={0} aria-label={t('lists.sheet_problems_label')}>
        {problems.map(({ sheet = '', line, column, title, value, reason }) => (
          <li key={`${sheet}-${line}-${column}-${reason.code}`}>
            <strong>
              {sheet === ''
                ? t('lists.sheet_cell', { line, column, title })
                : t('lists.sheet_cell_of', { sheet, line, column, title })}
            </strong>
            {value !== '' && value !== title && <q>{value}</q>}
            <span>
              {isErrorCode(reason.code)
                ? errorText(reason.code, reason.params, language)
                : reason.code}
            </span>
          </li>
        ))}
      </ul>
    </>
  );
};
