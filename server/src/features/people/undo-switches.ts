import { everyone } from '@waystation/contract/base/roles.ts';
import type { AllLists } from '#feature.ts';
import type { UndoActions } from './undo.ts';

/** Rows of a list with switches are switched back by the functions of the list's bulk actions. */
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
