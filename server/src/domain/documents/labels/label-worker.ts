import { openTypefaces } from '#domain/documents/typefaces.ts';
import { workerTask } from '#platform/workers/worker-task.ts';
import type { LabelFormat, LabelInput, LabelSheet, ZplOptions } from './label-input.ts';
import { openRenderer, renderSheet } from './render.ts';

export interface LabelTask {
  labels: readonly LabelInput[];
  format: LabelFormat;
  /** As ZPL; a PDF if absent. */
  zpl?: ZplOptions | undefined;
}

const renderer = openRenderer(openTypefaces());

/** Batches are drawn in alternating portions, so that one label does not wait for a thousand. */
export const run = workerTask<LabelTask, LabelSheet>(
  ({ labels, format, zpl }) => renderSheet(labels, format, renderer, zpl),
  ({ file }) => (file ? [file.buffer as ArrayBuffer] : []),
);
