import { printDrivers } from '@waystation/contract/parcels/print.ts';
import { wordOf } from '@waystation/contract/base/word-of.ts';
import { useTexts } from '#base/texts.ts';
import primitives from '#ui/primitives.module.css';
import { paperWords } from './labels.ts';
import type { Printing } from './printing.tsx';
import styles from './printing.module.css';
import { useWorkstation } from './workstation.ts';

/** A line with the printer settings of this computer. A press on it opens the settings. */
export const PrinterLine = ({ printing }: { printing: Printing }) => {
  const { t, language } = useTexts();
  const { driver, printer, format } = useWorkstation();
  const method = [wordOf(printDrivers, driver, language), printer, paperWords(format, t)];
  return (
    <p className={styles['line']}>
      <span>{t('common.print.line', { method: method.filter(Boolean).join(' · ') })}</span>
      <button type="button" className={primitives['linkButton']} onClick={printing.setUp}>
        {t('common.print.set_up')}
      </button>
    </p>
  );
};
