import { useEffect, useState } from 'react';
import type { KeyboardEvent, RefObject } from 'react';
import { scannedLength } from '@waystation/contract/base/limits.ts';
import { listenForScans, takeScans, takesScans } from '#base/scan-bursts.ts';
import styles from './scanner.module.css';

interface Props {
  label: string;
  placeholder: string;
  field: RefObject<HTMLInputElement | null>;
  onScan: (text: string) => void;
}

/** The large field into which scanned numbers are written. A number may also be typed. */
export const ScanField = ({ label, placeholder, field, onScan }: Props) => {
  const [typed, setTyped] = useState('');
  const submit = (): void => {
    const text = typed.trim();
    setTyped('');
    if (text !== '') onScan(text);
  };
  // Also accepts a Tab as the end of a scan, for scanners that send one and for phone scanners that
  // send no key codes.
  const onKey = (event: KeyboardEvent): void => {
    if (event.key !== 'Tab' || event.shiftKey || typed.trim() === '') return;
    event.preventDefault();
    submit();
  };
  return (
    <form
      className={styles['scanner']}
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <input
        ref={field}
        {...takesScans}
        className={styles['field']}
        aria-label={label}
        placeholder={placeholder}
        value={typed}
        maxLength={scannedLength}
        autoComplete="off"
        spellCheck={false}
        enterKeyHint="done"
        autoFocus
        onChange={(event) => setTyped(event.target.value)}
        onKeyDown={onKey}
      />
    </form>
  );
};

/** Calls `onScan` with every scan while the page is shown, even in bench mode. */
export const useScanner = (onScan: (text: string) => void): void =>
  useEffect(() => {
    const [listening, taking] = [listenForScans(onScan), takeScans(onScan)];
    return () => {
      listening();
      taking();
    };
  }, [onScan]);
