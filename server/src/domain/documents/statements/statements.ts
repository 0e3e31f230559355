import { createWorkerPool } from '#platform/workers/worker-pool.ts';
import type { StatementContent } from './statement-content.ts';

export { descriptionOf, minuteText, statementWords, sumText } from './statement-content.ts';

/**
 * Only one statement is drawn at a time, because a busy month has thousands of lines and the fonts
 * are large.
 */
const pool = createWorkerPool<StatementContent, Uint8Array>({
  program: new URL('./statement-worker.ts', import.meta.url),
  interrupted: 'statement_interrupted',
  heapMb: 768,
  tasksAtOnce: 1,
  waiting: 1_000,
  idleMs: 1_000,
  timeoutMs: 120_000,
});

/**
 * A station's statement as PDF (A4), drawn in a separate thread.
 * Throws the Failure `statement_interrupted` if the thread died; the caller may try again.
 */
export const statementPdf = (content: StatementContent): Promise<Uint8Array> => pool.run(content);
