import { accountSessions, getAccount } from '@waystation/contract/people/account.ts';
import type { Account } from '@waystation/contract/people/account.ts';
import { useCall } from '#base/query.ts';
import { useTexts } from '#base/texts.ts';
import type { List } from '#resource/list/use-list.ts';
import { AuditTab } from '#resource/record/audit-tab.tsx';
import { RecordDrawer } from '#resource/record/record-drawer.tsx';
import { StatusSwitch } from '#resource/record/use-status-switch.tsx';
import type { StatusSwitching } from '#resource/record/use-status-switch.tsx';
import { SessionList } from '#shell/session/session-list.tsx';
import { Button } from '#ui/button.tsx';
import { Empty } from '#ui/empty.tsx';
import { ErrorPanel } from '#ui/error-panel.tsx';
import { visibleActions } from '#ui/overlay/row-action.ts';
import type { RowAction } from '#ui/overlay/row-action.ts';
import { useAccountWords } from '#resource/accounts/account-words.ts';
import { idleComponent } from '#ui/lazy.tsx';

const AccountFacts = idleComponent(async () => (await import('./account-facts.tsx')).AccountFacts);

const Devices = ({ id }: { id: number }) => {
  const { t } = useTexts();
  const { data, error, refetch } = useCall(accountSessions, { id }, { quiet: true, staleTime: 0 });
  if (error && !data) return <ErrorPanel error={error} onRetry={refetch} />;
  if (!data) return null;
  return data.items.length === 0 ? (
    <Empty title={t('people.not_logged_in')} />
  ) : (
    <SessionList sessions={data.items} />
  );
};

interface Props {
  list: List<Account>;
  switching: StatusSwitching;
  actions: readonly RowAction<Account>[];
}

/** The drawer of one account: its facts, its sessions, and its change history. */
export const AccountDrawer = ({ list, switching, actions }: Props) => {
  const { t } = useTexts();
  const words = useAccountWords();
  const { opened } = list;
  const { data, error, refetch } = useCall(getAccount, opened === null ? null : { id: opened }, {
    quiet: true,
    staleTime: 0,
  });
  const account = data?.id === opened ? data : list.openedRow;
  const acts = {
    login: t('people.login'),
    change_password: t('people.act.change_password'),
    reset_password: t('people.act.reset_password'),
    invite: t('people.act.invite'),
    accept_invitation: t('people.act.accept_invitation'),
    revoke_session: t('people.act.revoke_session'),
    revoke_sessions: t('people.act.revoke_sessions'),
    start_second_factor: t('people.act.start_second_factor'),
    enable_second_factor: t('people.act.enable_second_factor'),
    disable_second_factor: t('people.act.disable_second_factor'),
    reset_second_factor: t('people.act.reset_second_factor'),
    renew_recovery_codes: t('people.act.renew_recovery_codes'),
  };
  return (
    <RecordDrawer
      list={list}
      title={account?.username ?? t('shell.loading')}
      reading={{ ready: account !== undefined, error, retry: refetch }}
      tabs={[
        {
          key: 'overview',
          label: t('lists.overview'),
          content: account && <AccountFacts account={account} />,
        },
        {
          key: 'sessions',
          label: t('people.devices'),
          content: account && <Devices key={account.id} id={account.id} />,
        },
        {
          key: 'audit',
          label: t('lists.audit'),
          content: account && (
            <AuditTab
              key={account.id}
              subject="accounts"
              id={account.id}
              words={words}
              actions={acts}
            />
          ),
        },
      ]}
      actions={
        account && (
          <>
            {visibleActions(actions, account).map((action) => {
              const blocked = action.blocked?.(account) ?? null;
              return (
                <Button
                  key={action.key}
                  type={action.key === 'edit' ? 'primary' : 'default'}
                  danger={action.danger ?? false}
                  disabled={blocked !== null}
                  {...(blocked !== null && { title: blocked })}
                  onClick={() => action.run(account)}
                >
                  {action.label}
                </Button>
              );
            })}
            <StatusSwitch row={account} name={account.username} switching={switching} />
          </>
        )
      }
    />
  );
};
