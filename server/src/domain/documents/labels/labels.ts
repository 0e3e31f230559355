import { createWorkerPool } from '#platform/workers/worker-pool.ts';
import type { LabelFormat, LabelInput, LabelSheet } from './label-input.ts';
import type { LabelTask } from './label-worker.ts';

export type { LabelFormat, LabelInput, LabelSheet } from './label-input.ts';

/** The thread holds about 100 MB. A small young generation costs no time here, and leaves the least behind in the process. */
const pool = createWorkerPool<LabelTask, LabelSheet>({
  program: new URL('./label-worker.ts', import.meta.url),
  interrupted: 'labels_interrupted',
  heapMb: 768,
  youngMb: 8,
  tasksAtOnce: 100,
  waiting: 900,
  idleMs: 60_000,
  patienceMs: 120_000,
});

/**
 * The labels of `labels` in the order given, one page a piece, as one PDF for paper of `format` (mm). Labels that cannot be drawn are named in
 * `failures` and the others go on; `warnings` tells what is worth knowing of those drawn. `pdf` is null where nothing could be drawn.
 * Throws the Failures `labels_too_many` and `labels_interrupted` (the drawing thread died; trying again is safe).
 */
export const renderLabels = (labels: readonly LabelInput[], format: LabelFormat): Promise<LabelSheet> => pool.run({ labels, format });

/** Ends the drawing thread, for an orderly end of the process; calls under way fail. */
export const stopLabels = (): Promise<void> => pool.stop();
