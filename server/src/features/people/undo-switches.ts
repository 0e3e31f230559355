import { everyone } from '@waystation/contract/base/roles.ts';
import type { AllLists } from '#feature.ts';
import type { UndoActions } from './undo.ts';

/**
 * Returns the function that enables or disables a row, for each list that has such bulk actions. An
 * undo uses it to restore the status of a row.
 */
export const switchesOf = (bulk: AllLists['bulk']): UndoActions['switches'] =>
  Object.fromEntries(
    Object.entries(bulk).flatMap(([name, { endpoint, actions }]) => {
      const { enable, disable } = actions;
      if (!enable || !disable) return [];
      return [
        [
          name,
          {
            roles: everyone.filter((role) => endpoint.roles.includes(role)),
            set: (app, work, { id, status, reason }) =>
              (status === 1 ? enable : disable).run(app, work, id, { reason, values: {} }),
          },
        ],
      ];
    }),
  );
