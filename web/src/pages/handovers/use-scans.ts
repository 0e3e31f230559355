import { useCallback, useEffect, useRef, useState } from 'react';
import {
  getHandover,
  handoverMissing,
  handoverScans,
  listHandovers,
} from '@waystation/contract/parcels/handover.ts';
import type { ScanAnswer } from '@waystation/contract/parcels/handover.ts';
import { refresh } from '#base/query.ts';
import { playSound } from '#base/sounds.ts';
import { useScanner } from '#parcels/scanning/scan-field.tsx';
import { useUser } from '#shell/session/session.ts';
import { scanQueue } from './scan-queue.ts';
import type { QueueState, ScanQueue } from './scan-queue.ts';

/**
 * A new id for a scan. It is built from random bytes, because `crypto.randomUUID` exists only in
 * secure contexts.
 */
const newScanId = (): string => {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}`;
};

/** The number of earlier answers that are shown under the newest answer. */
const mostShown = 5;

/** Reads again all data that the scans of a hand-over change. */
export const refreshVisit = (): Promise<void> =>
  refresh(getHandover, handoverScans, handoverMissing, listHandovers);

/**
 * Handles the scans of this browser for a hand-over. A scan is read wherever the focus is; it is
 * queued, sent and answered with a sound. `missing` is the number of packages that are still
 * missing. `onScanned` focuses the field again, because a scan takes the focus away from it.
 */
export const useScans = (id: number, missing: number, onScanned: () => void) => {
  const { id: account } = useUser();
  const [state, setState] = useState<QueueState>({ waiting: 0, offline: false, stopped: null });
  const [answers, setAnswers] = useState<readonly ScanAnswer[]>([]);
  const queue = useRef<ScanQueue | null>(null);
  const left = useRef(missing);
  useEffect(() => {
    left.current = missing;
  }, [missing]);
  useEffect(() => {
    const opened = scanQueue(
      { id, account },
      {
        state: setState,
        answers: (sent) => {
          const given = sent.answers.filter(({ result }) => result === 'given').length;
          const refused = sent.answers.some(({ result }) => result !== 'given');
          playSound(refused ? 'refused' : given >= left.current ? 'done' : 'scanned');
          left.current -= given;
          setAnswers((shown) => [...sent.answers.toReversed(), ...shown].slice(0, mostShown));
          void refreshVisit();
        },
      },
    );
    queue.current = opened;
    void opened.run();
    return () => opened.end();
  }, [id, account]);
  const add = useCallback((number: string, again = false): void => {
    const text = number.trim();
    if (text !== '')
      queue.current?.add({ scan_id: newScanId(), number: text, ...(again && { again: 1 }) });
  }, []);
  const scanned = useCallback(
    (text: string): void => {
      add(text);
      onScanned();
    },
    [add, onScanned],
  );
  useScanner(scanned);
  const forget = useCallback(
    (scan_id: string): void =>
      setAnswers((shown) => shown.filter((answer) => answer.scan_id !== scan_id)),
    [],
  );
  return { state, answers, add, forget, drop: () => queue.current?.drop() };
};
