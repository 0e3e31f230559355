import type { Found, SearchGroup } from '@waystation/contract/shell/global-search.ts';
import type { App } from './app.ts';
import type { BulkList, ExportList, WholeJob } from '#domain/user-jobs/user-jobs.ts';
import type { UndoneByFeatures } from '#features/people/undo.ts';
import type { ReaderWork } from '#platform/db/db.ts';
import type { Route } from '#platform/http/route.ts';
import type { TaskHandler } from '#platform/jobs/task.ts';

/**
 * For each group of the global search, finds the results that the reader may see. It finds one
 * result more than is shown, so that the screen can show that there are more.
 */
type Finders = {
  readonly [G in SearchGroup]?: (app: App, work: ReaderWork, q: string) => Promise<Found[G][]>;
};

/** The lists of all features, for routes and tasks that work on any list. */
export interface AllLists {
  exports: Readonly<Record<string, ExportList<App>>>;
  files: Readonly<Record<string, WholeJob<App>>>;
  bulk: Readonly<Record<string, BulkList<App>>>;
  undo: UndoneByFeatures;
  finds: Finders;
}

type Listed<T> = readonly T[] | ((all: AllLists) => readonly T[]);

/** The part of a feature that one file adds to the product. */
export interface FeaturePart {
  /**
   * The routes: each endpoint with its handler. The endpoint's roles and schemas are in contract/.
   */
  routes?: Listed<Route<App>>;
  tasks?: Listed<TaskHandler<App>>;
  /** Lists that can be exported, by name. */
  exports?: Readonly<Record<string, ExportList<App>>>;
  /** Files that are created in the background, by the name of their list. */
  files?: Readonly<Record<string, WholeJob<App>>>;
  /** Lists whose rows can be acted on together, by name. */
  bulk?: Readonly<Record<string, BulkList<App>>>;
  /**
   * Functions that undo changes recorded in the audit log. Changes of a switch need no function
   * here, because `bulk` contains the switches.
   */
  undo?: Partial<UndoneByFeatures>;
  /** The groups of results for the global search. */
  finds?: Finders;
}

export interface Feature {
  routes(all: AllLists): readonly Route<App>[];
  tasks(all: AllLists): readonly TaskHandler<App>[];
  exports: AllLists['exports'];
  files: AllLists['files'];
  bulk: AllLists['bulk'];
  undo: Partial<UndoneByFeatures>;
  finds: Finders;
}

const listed = <T>(some: Listed<T> | undefined, all: AllLists): readonly T[] =>
  typeof some === 'function' ? some(all) : (some ?? []);

/**
 * Joins the parts of a folder of features/, as its `feature.ts` exports them. `features.ts` lists
 * every such folder.
 */
export const feature = (...parts: readonly FeaturePart[]): Feature => ({
  routes: (all) => parts.flatMap(({ routes }) => listed(routes, all)),
  tasks: (all) => parts.flatMap(({ tasks }) => listed(tasks, all)),
  exports: Object.assign({}, ...parts.map(({ exports }) => exports)),
  files: Object.assign({}, ...parts.map(({ files }) => files)),
  bulk: Object.assign({}, ...parts.map(({ bulk }) => bulk)),
  undo: Object.assign({}, ...parts.map(({ undo }) => undo)),
  finds: Object.assign({}, ...parts.map(({ finds }) => finds)),
});
