import type { ReactNode } from 'react';
import { useTexts } from '#base/texts.ts';
import { CopyButton } from '#ui/copy-button.tsx';
import styles from './numbers.module.css';

/**
 * A number or code that people pass on; a dash if it is empty. A long code is cut, and its tooltip
 * shows it completely. `children` replace the plain text, for example with a link.
 */
export const CodeText = ({ code, children }: { code: string | null; children?: ReactNode }) => {
  const { t } = useTexts();
  if (code === null || code === '') return '—';
  return (
    <span className={styles['line']}>
      {children ?? (
        <span className={styles['code']} title={code}>
          {code}
        </span>
      )}
      <CopyButton text={code} label={t('common.copy_waybill', { number: code })} />
    </span>
  );
};
