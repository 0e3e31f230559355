import { Worker } from 'node:worker_threads';
import { Failure } from '#platform/fail.ts';
import type { StatementPaper } from './statement-content.ts';

export { descriptionOf, minuteText, statementWords, sumText } from './statement-content.ts';
export type { StatementPaper } from './statement-content.ts';

const program = new URL('./statement-worker.ts', import.meta.url);
/** How long a paper may take, in milliseconds, before its thread counts as stuck; and the thread's heap in MB. */
const patience = 120_000;
const heap = 768;

const interrupted = (why: string): Failure => {
  const failure = new Failure('statement_interrupted', {}, { retryAfter: 1 });
  failure.cause = why;
  return failure;
};

const draw = (paper: StatementPaper): Promise<Uint8Array> =>
  new Promise((resolve, reject) => {
    // The environment holds secrets that a thread has no business with.
    const worker = new Worker(program, {
      workerData: paper,
      execArgv: [],
      argv: [],
      env: {},
      resourceLimits: { maxOldGenerationSizeMb: heap },
      name: 'papers',
    });
    const timer = setTimeout(() => void worker.terminate(), patience);
    worker.on('message', resolve);
    worker.on('error', (error: Error) => reject(interrupted(error.message)));
    worker.on('exit', (code) => {
      clearTimeout(timer);
      reject(interrupted(`exit ${code}`));
    });
  });

let last: Promise<unknown> = Promise.resolve();

/**
 * A station's statement as PDF (A4), drawn in a thread of its own, one after the other: a busy month has thousands of lines, and the fonts are large.
 * Throws the Failure `statement_interrupted` where the thread died; trying again is safe.
 */
export const statementPdf = (paper: StatementPaper): Promise<Uint8Array> => {
  const mine = last.then(() => draw(paper));
  last = mine.catch(() => {});
  return mine;
};
