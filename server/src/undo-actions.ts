import { everyone, office } from '@waystation/contract/roles.ts';
import { bulkLists } from './bulk-actions.ts';
import type { UndoActions } from '#features/people/undo.ts';
import { editInTx } from '#features/stations/changes.ts';
import { checkWithdrawal, withdrawInTx } from '#features/vouchers/versions.ts';

/** How what the audit log names is undone, by the functions behind the routes of the changes. */
export const undoActions: UndoActions = {
  switches: Object.fromEntries(
    Object.entries(bulkLists).flatMap(([name, { endpoint, actions }]) => {
      const { enable, disable } = actions;
      if (!enable || !disable) return [];
      return [
        [
          name,
          {
            roles: everyone.filter((role) => endpoint.roles.includes(role)),
            set: (app, tx, actor, id, status, reason, origin) => (status === 1 ? enable : disable).run(app, tx, actor, id, { reason, values: {} }, origin),
          },
        ],
      ];
    }),
  ),
  setPrice: (app, tx, actor, id, values, reason, origin) => editInTx(app, tx, actor, { ...values, id, reason }, origin),
  checkWithdrawal,
  withdraw: withdrawInTx,
  publishers: office,
};
