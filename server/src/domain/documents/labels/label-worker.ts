import { openTypefaces } from '#domain/documents/typefaces.ts';
import { workerTask } from '#platform/workers/worker-task.ts';
import type { LabelFormat, LabelInput, LabelSheet } from './label-input.ts';
import { renderSheet } from './render.ts';

export interface LabelTask {
  labels: readonly LabelInput[];
  format: LabelFormat;
}

const faces = openTypefaces();

/** Batches are drawn in alternating portions, so that one label does not wait for a thousand. */
export const run = workerTask<LabelTask, LabelSheet>(
  ({ labels, format }) => renderSheet(labels, format, faces),
  ({ pdf }) => (pdf ? [pdf.buffer as ArrayBuffer] : []),
);
