import { useCallback, useEffect, useId, useRef } from 'react';
import { useTexts } from '#base/texts.ts';
import { ScanField, useScanner } from '#parcels/scanning/scan-field.tsx';
import { SoundSwitch } from '#parcels/scanning/sound-switch.tsx';
import { PrinterLine } from '#printing/printer-line.tsx';
import { usePrinting } from '#printing/printing.tsx';
import { isSilent, useWorkstation } from '#printing/workstation.ts';
import { Button } from '#ui/button.tsx';
import { Notice } from '#ui/notice.tsx';
import primitives from '#ui/primitives.module.css';
import { useLabelWords } from './labels/label-words.ts';
import scanner from '#parcels/scanning/scanner.module.css';
import { StepAnswer } from './labels/step-answer.tsx';
import { useLabelScan } from './labels/use-label-scan.ts';
import { WaitingLabels } from './labels/waiting-labels.tsx';

/**
 * The page for scanning labels. A scanned number prints its label; a second scan, of the printed
 * label, verifies it.
 */
export const Page = () => {
  const { t } = useTexts();
  const say = useLabelWords();
  const heading = useId();
  const field = useRef<HTMLInputElement>(null);
  const printing = usePrinting();
  const scanning = useLabelScan(printing);
  const silent = useWorkstation(isSilent);
  const latest = useRef(scanning.scan);
  useEffect(() => {
    latest.current = scanning.scan;
  });
  const scanned = useCallback((text: string): void => {
    latest.current(text);
    field.current?.focus();
  }, []);
  useScanner(scanned);
  const { current } = scanning;
  const focus = (): void => field.current?.focus();
  /**
   * Wraps the action of a button. After the action the scan field has the focus again, because a
   * phone's scanner types into that field.
   */
  const focused =
    <A extends unknown[]>(act: (...args: A) => void) =>
    (...args: A): void => {
      act(...args);
      focus();
    };
  const acting = {
    ...scanning,
    print: focused(scanning.print),
    remember: focused(scanning.remember),
    leave: focused(scanning.leave),
    choose: focused(scanning.choose),
  };
  return (
    <section className={scanner['page']} aria-labelledby={heading}>
      <header className={primitives['pageHead']}>
        <h1 id={heading}>{t('menu.labels')}</h1>
      </header>
      {!silent && (
        <Notice
          tone="warn"
          actions={<Button onClick={printing.setUp}>{t('common.print.set_up')}</Button>}
        >
          {say('dialog')}
        </Notice>
      )}
      <ScanField
        label={say('scan')}
        placeholder={say(current ? 'placeholder_label' : 'placeholder')}
        field={field}
        onScan={scanned}
      />
      <StepAnswer scanning={acting} onDone={focus} />
      <div className={scanner['tools']}>
        <span className={primitives['note']}>{say('hint')}</span>
        <SoundSwitch />
      </div>
      {silent && <PrinterLine printing={printing} />}
      <WaitingLabels scanning={acting} />
      {printing.dialogs}
    </section>
  );
};
