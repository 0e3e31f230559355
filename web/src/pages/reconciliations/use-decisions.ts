import { mostPageSize } from '@waystation/contract/limits.ts';
import { errorText, isErrorCode } from '@waystation/contract/errors.ts';
import { getJob } from '@waystation/contract/jobs.ts';
import { acceptBillRows, listBillRows } from '@waystation/contract/reconciliation.ts';
import type { BillRow } from '@waystation/contract/reconciliation.ts';
import { firstShown } from '#base/first-shown.ts';
import { announce } from '#base/announce.ts';
import { call } from '#base/call.ts';
import { notify } from '#ui/overlay/notify.tsx';
import { useTexts } from '#base/texts.ts';
import { useActions } from '#shell/submit/use-actions.ts';
import { useLineName } from './line-columns.tsx';
import { billsShown } from './words.ts';

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const lookEvery = 300;
const patience = 60;

/** The job once it has ended; null where that takes longer than somebody watches one line. */
const ended = async (id: number) => {
  for (let look = 0; look < patience; look += 1) {
    const job = await call(getJob, { id });
    if (job.status === 'done' || job.status === 'failed') return job;
    await pause(lookEvery);
  }
  return null;
};

/** Puts the keyboard on the next row, so that lines are decided one after the other. */
export const standOnNext = (id: number): void => {
  const row = firstShown(`[role=row][data-row="${id}"]`);
  const next = row?.nextElementSibling;
  if (next instanceof HTMLElement) next.focus();
};

/** Accepts one line without leaving the list: the job runs in the background, and only a failure is reported. */
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
      const why = reason === null ? '' : isErrorCode(reason.code) ? errorText(reason.code, reason.params ?? {}, language) : reason.code;
      if (item?.result === 'ok') announce(t('reconciliations.accepted_one', { name: nameOf(row) }));
      else if (job) notify.warning([t('reconciliations.not_accepted', { name: nameOf(row) }), why].filter(Boolean).join(language === 'zh' ? '：' : ': '));
    });
  return { working, accept };
};

/** Which lines are meant: those chosen, or all that a filter finds. */
export type Which = { rows: readonly BillRow[] } | { filter: Readonly<Record<string, string | number>> };

/** Every line that a filter finds, page by page. */
export const allLines = async (
  bill: number,
  filter: Readonly<Record<string, string | number>>,
  onRead: (count: number) => void,
  signal: AbortSignal,
): Promise<BillRow[]> => {
  const rows: BillRow[] = [];
  for (let cursor: string | undefined; ;) {
    const answer = await call(listBillRows, { id: bill, ...filter, page_size: mostPageSize, ...(cursor !== undefined && { cursor }) }, { signal });
    rows.push(...answer.items);
    onRead(rows.length);
    if (answer.next_cursor === null || answer.items.length === 0) return rows;
    cursor = answer.next_cursor;
  }
};
