import { parentPort } from 'node:worker_threads';
import { Failure } from '#platform/fail.ts';
import type { ErrorCode } from '@waystation/contract/errors.ts';
import type { Params } from '@waystation/contract/envelope.ts';
import type { LabelFormat, LabelInput, LabelSheet } from './label-input.ts';
import { renderSheet } from './render.ts';
import { openTypefaces } from '#domain/documents/typefaces.ts';

export interface Job {
  id: number;
  labels: readonly LabelInput[];
  format: LabelFormat;
}

/** `failure` is an expected error; `detail` of anything else is for the log. */
export type Answer = { id: number } & ({ sheet: LabelSheet } | { failure: { code: ErrorCode; params: Params } } | { detail: string });

const port = parentPort!;
const faces = openTypefaces();

const answer = async ({ id, labels, format }: Job): Promise<void> => {
  try {
    const sheet = await renderSheet(labels, format, faces);
    port.postMessage({ id, sheet } satisfies Answer, sheet.pdf ? [sheet.pdf.buffer as ArrayBuffer] : []);
  } catch (error) {
    const said: Answer =
      error instanceof Failure
        ? { id, failure: { code: error.code, params: error.params } }
        : { id, detail: error instanceof Error ? (error.stack ?? error.message) : String(error) };
    port.postMessage(said);
  }
};

// Jobs run side by side in portions, so that one label does not wait for a thousand.
port.on('message', (job: Job) => void answer(job));
