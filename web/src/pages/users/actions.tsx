import { resetSecondFactor, revokeAccountSessions } from '@waystation/contract/people/account.ts';
import type { Account } from '@waystation/contract/people/account.ts';
import type { Endpoint } from '@waystation/contract/base/endpoint.ts';
import { call } from '#base/call.ts';
import { confirmed, notify } from '#ui/overlay/notify.tsx';
import { refresh } from '#base/query.ts';
import { useTexts } from '#base/texts.ts';
import type { RowAction } from '#ui/overlay/row-action.ts';

interface Spec {
  edit: (row: Account) => void;
  reset: (row: Account) => void;
  invite: (row: Account) => void;
  /** The endpoints to read again after a change of an account. */
  refreshes: readonly Endpoint[];
}

/** The actions of a manager on an account. They are the same in the row and in the drawer. */
export const useAccountActions = ({
  edit,
  reset,
  invite,
  refreshes,
}: Spec): RowAction<Account>[] => {
  const { t } = useTexts();
  const done = async (work: Promise<unknown>, words: string): Promise<void> => {
    try {
      await work;
      notify.success(words);
    } catch (error) {
      notify.failure(error);
    } finally {
      await refresh(...refreshes);
    }
  };
  const revoke = async ({ id, username: name }: Account): Promise<void> => {
    const sure = await confirmed({
      title: t('people.revoke_title', { name }),
      content: t('people.revoke_hint'),
      ok: t('people.revoke'),
      danger: true,
    });
    if (sure) await done(call(revokeAccountSessions, { id }), t('people.revoked', { name }));
  };
  const unlock = async ({ id, username: name }: Account): Promise<void> => {
    const sure = await confirmed({
      title: t('people.unlock_title', { name }),
      content: t('people.unlock_hint'),
      ok: t('people.unlock'),
      danger: true,
    });
    if (sure) await done(call(resetSecondFactor, { id }), t('people.unlocked', { name }));
  };
  return [
    { key: 'edit', label: t('lists.edit'), run: edit },
    {
      key: 'invite',
      label: t('people.invite_again'),
      visible: ({ invitation, status }) => invitation !== null && status === 1,
      run: invite,
    },
    { key: 'reset', label: t('people.reset'), run: reset },
    {
      key: 'revoke',
      label: t('people.revoke'),
      danger: true,
      blocked: ({ sessions }) => (sessions === 0 ? t('people.not_logged_in') : null),
      run: (row) => void revoke(row),
    },
    {
      key: 'unlock',
      label: t('people.unlock'),
      danger: true,
      visible: ({ second_factor }) => second_factor === 1,
      run: (row) => void unlock(row),
    },
  ];
};
