import { useEffect, useRef } from 'react';
import { mostPageSize } from '@waystation/contract/base/limits.ts';
import { errorText, isErrorCode } from '#base/error-text.ts';
import { getJob } from '@waystation/contract/shell/jobs.ts';
import { acceptBillRows, listBillRows } from '@waystation/contract/money/reconciliation.ts';
import type { BillRow } from '@waystation/contract/money/reconciliation.ts';
import { firstShown } from '#base/first-shown.ts';
import { announce } from '#base/announce.ts';
import { call } from '#base/call.ts';
import { notify } from '#ui/overlay/notify.tsx';
import { useTexts } from '#base/texts.ts';
import { useActions } from '#shell/submit/use-actions.ts';
import { useLineName } from './line-columns.tsx';
import { billsShown } from './words.ts';

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const readEveryMs = 300;
const mostReads = 60;

/**
 * Waits until the job has ended, and returns it. Returns null if this takes longer than a user
 * would wait for one line.
 */
const ended = async (id: number) => {
  for (let read = 0; read < mostReads; read += 1) {
    const job = await call(getJob, { id });
    if (job.status === 'done' || job.status === 'failed') return job;
    await pause(readEveryMs);
  }
  return null;
};

const lines = '[role=row][data-row]';
const firstStop = '[data-first-stop]';
const tabs = '[role=tab][aria-selected="true"]';
const lineOf = (id: number): HTMLElement | null => firstShown(`[role=row][data-row="${id}"]`);
const idOf = (row: HTMLElement): number => Number(row.dataset['row']);

/**
 * Moves the focus to the next row, so that lines can be decided one after the other. The focus
 * stays on the last row, because a repeated key press on another row would decide a line that the
 * user has skipped.
 */
export const standOnNext = (id: number): void => {
  const next = lineOf(id)?.nextElementSibling;
  if (next instanceof HTMLElement && next.matches(lines)) next.focus();
};

/**
 * The line that has the focus. `near` contains the ids of the lines after it, and then those of the
 * lines before it, the nearest first.
 */
interface Place {
  id: number;
  near: readonly number[];
}

const placeNow = (): Place | null => {
  const row = document.activeElement?.closest<HTMLElement>(lines);
  if (!row) return null;
  const all = [...row.parentElement!.querySelectorAll<HTMLElement>(lines)].map(idOf);
  const at = all.indexOf(idOf(row));
  return { id: all[at]!, near: [...all.slice(at), ...all.slice(0, at).toReversed()] };
};

/**
 * Moves the focus if the focused line or button has disappeared: to the nearest line, or else to
 * the button that accepts many lines, or else to the tab. When the page opens, focuses the button
 * that accepts many lines. `ready` is true when the lines and buttons have been loaded. The
 * returned function tells whether this hook, and not the user, has focused a line.
 */
export const useHeldFocus = (ready: boolean): ((id: number) => boolean) => {
  const opened = useRef(false);
  const place = useRef<Place | null>(null);
  const given = useRef<number | null>(null);
  useEffect(() => {
    const note = (): void => {
      const now = placeNow();
      if (!now) return;
      place.current = now;
      if (now.id !== given.current) given.current = null;
    };
    document.addEventListener('focusin', note);
    return () => document.removeEventListener('focusin', note);
  }, []);
  useEffect(() => {
    if (!ready) return;
    if (document.activeElement !== document.body) {
      place.current = placeNow() ?? place.current;
      return;
    }
    const near = place.current?.near.map(lineOf).find((row) => row !== null);
    const order = opened.current ? [lines, firstStop, tabs] : [firstStop, lines, tabs];
    const to = near ?? order.map((selector) => firstShown(selector)).find((one) => one !== null);
    if (!to) return;
    if (opened.current && to.matches(lines) && idOf(to) !== place.current?.id)
      given.current = idOf(to);
    to.focus({ preventScroll: !opened.current });
    opened.current = true;
  });
  return (id) => given.current === id;
};

/**
 * Accepts one line without leaving the list. The job runs in the background. The user sees a notice
 * only if it fails.
 */
export const useAcceptOne = (bill: number) => {
  const { t, language } = useTexts();
  const nameOf = useLineName();
  const { busy: working, run } = useActions<number>(billsShown);
  const accept = (row: BillRow) =>
    run(row.id, async () => {
      standOnNext(row.id);
      const { job_id } = await call(acceptBillRows, { id: bill, ids: [row.id] });
      const job = await ended(job_id);
      const item = job?.results.items[0];
      const reason = item?.reason ?? job?.reason ?? null;
      const why =
        reason === null
          ? ''
          : isErrorCode(reason.code)
            ? errorText(reason.code, reason.params ?? {}, language)
            : reason.code;
      if (item?.result === 'ok') announce(t('reconciliations.accepted_one', { name: nameOf(row) }));
      else if (job)
        notify.warning(
          [t('reconciliations.not_accepted', { name: nameOf(row) }), why]
            .filter(Boolean)
            .join(language === 'zh' ? '：' : ': '),
        );
    });
  return { working, accept };
};

/** The lines that a decision applies to: the selected lines, or all lines that match a filter. */
export type Which =
  | { rows: readonly BillRow[] }
  | { filter: Readonly<Record<string, string | number>> };

/** Requests every line that a filter finds, page by page. */
export const allLines = async (
  bill: number,
  filter: Readonly<Record<string, string | number>>,
  onRead: (count: number) => void,
  signal: AbortSignal,
): Promise<BillRow[]> => {
  const rows: BillRow[] = [];
  for (let cursor: string | undefined; ;) {
    const answer = await call(
      listBillRows,
      { id: bill, ...filter, page_size: mostPageSize, ...(cursor !== undefined && { cursor }) },
      { signal },
    );
    rows.push(...answer.items);
    onRead(rows.length);
    if (answer.next_cursor === null || answer.items.length === 0) return rows;
    cursor = answer.next_cursor;
  }
};
