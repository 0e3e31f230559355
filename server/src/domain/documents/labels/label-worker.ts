import { openTypefaces } from '#domain/documents/typefaces.ts';
import { workerTask } from '#platform/workers/worker-task.ts';
import type { LabelFormat, LabelInput, LabelSheet, SheetOptions } from './label-input.ts';
import { openRenderer, renderSheet } from './render.ts';

export interface LabelTask {
  labels: readonly LabelInput[];
  format: LabelFormat;
  options: SheetOptions;
}

const renderer = openRenderer(openTypefaces());

/**
 * Draws the labels of a batch. Several batches take turns, so that one label need not wait for a
 * batch of a thousand.
 */
export const run = workerTask<LabelTask, LabelSheet>(
  ({ labels, format, options }) => renderSheet(labels, format, renderer, options),
  ({ file, files }) =>
    [...(file ? [file] : []), ...files.map((one) => one.file)].map(
      ({ buffer }) => buffer as ArrayBuffer,
    ),
);
