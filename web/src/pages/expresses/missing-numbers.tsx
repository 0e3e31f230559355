import { useState } from 'react';
import { useTexts } from '#base/texts.ts';
import { CopyButton } from '#ui/copy-button.tsx';
import { Notice } from '#ui/notice.tsx';
import primitives from '#ui/primitives.module.css';
import styles from './missing-numbers.module.css';

/**
 * Shows how many of the searched numbers were found. The missing numbers are listed so that the
 * user can copy them.
 */
export const MissingNumbers = ({
  searched,
  missing,
  listed,
}: {
  searched: number;
  missing: readonly string[];
  listed: number | null;
}) => {
  const { t } = useTexts();
  const [open, setOpen] = useState(false);
  const found = searched - missing.length;
  // The other filters of the list may hide some of the parcels that were found by number.
  const hidden =
    listed !== null && listed < found ? t('expresses.found_hidden', { count: found - listed }) : '';
  if (missing.length === 0)
    return <Notice tone="info">{t('expresses.all_found', { count: searched }) + hidden}</Notice>;
  return (
    <Notice
      tone="warn"
      actions={
        <>
          <button
            type="button"
            className={primitives['linkButton']}
            aria-expanded={open}
            onClick={() => setOpen(!open)}
          >
            {open ? t('expresses.hide_missing') : t('expresses.show_missing')}
          </button>
          <CopyButton text={missing.join('\n')} label={t('expresses.copy_missing')} />
        </>
      }
    >
      {t('expresses.some_missing', { found, count: missing.length }) + hidden}
      {open && (
        <ul className={styles['list']} tabIndex={0} aria-label={t('expresses.show_missing')}>
          {missing.map((number) => (
            <li key={number}>{number}</li>
          ))}
        </ul>
      )}
    </Notice>
  );
};
