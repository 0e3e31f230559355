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
 * Batches are drawn in alternating portions, so that one label does not wait for a thousand.
 */
export const run = workerTask<LabelTask, LabelSheet>(
  ({ labels, format, options }) => renderSheet(labels, format, renderer, options),
  ({ file, files }) =>
    [...(file ? [file] : []), ...files.map((one) => one.file)].map(
      ({ buffer }) => buffer as ArrayBuffer,
    ),
);
