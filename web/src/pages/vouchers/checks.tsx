import { CheckCircleFilled, ExclamationCircleFilled, WarningFilled } from '@ant-design/icons-svg';
import { useTexts } from '#base/texts.ts';
import { Icon } from '#ui/icon.tsx';
import primitives from '#ui/primitives.module.css';
import styles from './editor.module.css';
import { useFindingWords } from './finding-words.ts';
import type { Remark } from './template.ts';
import { useAreaName } from './words.ts';

interface Props {
  remarks: readonly Remark[];
  /** Returns the name of the grid row that a warning is about, or '' if it is about no row. */
  rowName: (remark: Remark) => string;
  onJump: (remark: Remark) => void;
}

const most = 60;

/**
 * All warnings about the draft, with the errors first. Pressing a warning opens the cell that it is
 * about.
 */
export const Checks = ({ remarks, rowName, onJump }: Props) => {
  const { t } = useTexts();
  const words = useFindingWords();
  useAreaName();
  const errors = remarks.filter(({ severity }) => severity === 'error');
  const sorted = [...errors, ...remarks.filter(({ severity }) => severity === 'warning')];
  return (
    <section className={styles['checks']} aria-label={t('vouchers.checks')}>
      <h2>
        {t('vouchers.checks')}
        <span className={styles['quiet']} role="status">
          {sorted.length === 0
            ? ''
            : t('vouchers.checks_count', {
                errors: errors.length,
                warnings: sorted.length - errors.length,
              })}
        </span>
      </h2>
      {sorted.length === 0 ? (
        <p className={`${primitives['row']} ${styles['fine']}`}>
          <Icon of={CheckCircleFilled} /> {t('vouchers.checks_fine')}
        </p>
      ) : (
        <ul tabIndex={0} aria-label={t('vouchers.checks')}>
          {sorted.slice(0, most).map((remark, index) => (
            // Warnings have no id that could be the React key.
            // oxlint-disable-next-line react/no-array-index-key
            <li key={index} data-tone={remark.severity}>
              <button type="button" onClick={() => onJump(remark)}>
                {remark.severity === 'error' ? (
                  <Icon of={ExclamationCircleFilled} label={t('vouchers.error')} />
                ) : (
                  <Icon of={WarningFilled} label={t('vouchers.warning')} />
                )}
                {rowName(remark) !== '' && <strong>{rowName(remark)}</strong>}
                <span>{words(remark)}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
};
