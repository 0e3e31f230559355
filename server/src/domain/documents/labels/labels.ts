import { createWorkerPool } from '#platform/workers/worker-pool.ts';
import type { LabelFormat, LabelInput, LabelSheet, SheetOptions } from './label-input.ts';
import type { LabelTask } from './label-worker.ts';

export type { LabelFormat, LabelInput, LabelSheet } from './label-input.ts';

/**
 * The thread needs about 100 MB. A small young generation of the heap costs no time here, and keeps
 * the memory of the process lowest.
 */
const pool = createWorkerPool<LabelTask, LabelSheet>({
  program: new URL('./label-worker.ts', import.meta.url),
  interrupted: 'labels_interrupted',
  heapMb: 768,
  youngMb: 8,
  tasksAtOnce: 100,
  waiting: 900,
  idleMs: 60_000,
  timeoutMs: 120_000,
});

/**
 * Draws labels in order, one page for each package, for paper of `format`. The result is one PDF,
 * one PDF for each parcel, or one file of ZPL or TSPL for a 203 dpi printer. `failures` lists
 * labels that cannot be drawn; the others are drawn. `warnings` are about drawn labels. There is no
 * file if nothing could be drawn. Throws the Failures `labels_too_many` and `labels_interrupted`
 * (the drawing thread died; the caller may try again).
 */
export const renderLabels = (
  labels: readonly LabelInput[],
  format: LabelFormat,
  options: SheetOptions = {},
): Promise<LabelSheet> => pool.run({ labels, format, options });

/** Stops the drawing thread at shutdown; calls that are in progress fail. */
export const stopLabels = (): Promise<void> => pool.stop();
