import { sampleImport } from '@waystation/contract/imports/import.ts';
import type { Import, ImportProblem, ImportValues } from '@waystation/contract/imports/import.ts';
import { useCall } from '#base/query.ts';
import { useTexts } from '#base/texts.ts';
import { useSettled } from '#resource/stations/station-picker.tsx';
import primitives from '#ui/primitives.module.css';
import { shownFields, worstOf } from './grid-fields.ts';
import styles from './imports.module.css';
import { useImportWords } from './words.ts';

const settledMs = 250;

interface Props {
  id: number;
  header_at: number;
  mapping: Import['mapping'];
  defaults: ImportValues;
}

/**
 * While the user assigns the columns, shows the first rows as the grid will show them, with
 * corrections and problems.
 */
export const ColumnsSample = ({ id, header_at, mapping, defaults }: Props) => {
  const { t } = useTexts();
  const words = useImportWords();
  // Delayed, so that the sample is not requested for every typed letter.
  const settled = useSettled(JSON.stringify({ id, header_at, mapping, defaults }), settledMs);
  const { data, error } = useCall(sampleImport, JSON.parse(settled) as Props, {
    keep: true,
    quiet: true,
  });
  // An import has no sample if it was created before samples were stored.
  if (error || data?.rows.length === 0) return null;
  const fields = shownFields({ mapping, defaults }, null);
  const at = (problems: readonly ImportProblem[], field: string): ImportProblem | undefined =>
    worstOf(problems.filter((each) => each.field === field));
  return (
    <section className={styles['sample']} aria-busy={data === undefined}>
      <h3>{t('imports.map.sample')}</h3>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls is reached by keys */}
      <div
        className={styles['sampleRows']}
        role="region"
        aria-label={t('imports.map.sample')}
        tabIndex={0}
      >
        <table className={primitives['table']}>
          <thead>
            <tr>
              <th scope="col">{t('imports.grid.line')}</th>
              {fields.map((field) => (
                <th key={field} scope="col">
                  {t(`imports.fields.${field}`)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {data?.rows.map(({ line, values, problems }) => (
              <tr key={line}>
                <th scope="row" className="tabular">
                  {line}
                </th>
                {fields.map((field) => {
                  const problem = at(problems, field);
                  return (
                    <td
                      key={field}
                      data-level={problem?.level}
                      title={problem === undefined ? undefined : words.reason(problem.reason)}
                    >
                      {values[field] ||
                        (problem?.level === 'error' ? (
                          <span>{words.reason(problem.reason)}</span>
                        ) : (
                          '—'
                        ))}
                    </td>
                  );
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
};
