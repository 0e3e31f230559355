import type { LabelFormat, LabelInput, LabelNote, LabelSheet } from './label-input.ts';
import { createLabelRenderer } from './renderer.ts';

export type { LabelFormat, LabelInput, LabelNote, LabelSheet };

const renderer = createLabelRenderer();

/**
 * The labels of `labels` in the order given, one page a piece, as one PDF for paper of `format` (mm). Labels that cannot be drawn are named in
 * `failures` and the others go on; `warnings` tells what is worth knowing of those drawn. `pdf` is null where nothing could be drawn.
 * Throws the Failures `labels_too_many` and `labels_interrupted` (the drawing thread died; trying again is safe).
 */
export const renderLabels = (labels: readonly LabelInput[], format: LabelFormat): Promise<LabelSheet> => renderer.render(labels, format);

/** Ends the drawing thread, for an orderly end of the process; calls under way fail. */
export const stopLabels = (): Promise<void> => renderer.stop();
