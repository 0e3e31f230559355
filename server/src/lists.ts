import type { AllLists } from './feature.ts';
import * as features from './features.ts';
import type { UndoneByFeatures } from '#features/people/undo.ts';

const all = Object.values(features);

/**
 * The lists that can be exported, keyed by name. Each entry contains the source of the rows, and
 * how each field is written to a file.
 */
export const exportLists: AllLists['exports'] = Object.assign(
  {},
  ...all.map(({ exports }) => exports),
);

/** The lists of all features. */
export const lists: AllLists = {
  exports: exportLists,
  files: Object.assign({}, ...all.map(({ files }) => files)),
  bulk: Object.assign({}, ...all.map(({ bulk }) => bulk)),
  undo: Object.assign({}, ...all.map(({ undo }) => undo)) as UndoneByFeatures,
  finds: Object.assign({}, ...all.map(({ finds }) => finds)),
};
