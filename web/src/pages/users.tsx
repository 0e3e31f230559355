import { useState } from 'react';
import {
  getAccount,
  listAccounts,
  rolesBelow,
  setAccountStatus,
} from '@waystation/contract/people/account.ts';
import type { Account } from '@waystation/contract/people/account.ts';
import { listAudit } from '@waystation/contract/shell/audit.ts';
import { notify } from '#ui/overlay/notify.tsx';
import { refresh } from '#base/query.ts';
import { useUser } from '#shell/session/session.ts';
import { useTexts } from '#base/texts.ts';
import { LoadedForm } from '#resource/form/loaded-form.tsx';
import type { ListFilter } from '#resource/list/list-filters.ts';
import { ListPage } from '#resource/list/list-page.tsx';
import { useList } from '#resource/list/use-list.ts';
import { useStatusSwitch } from '#resource/record/use-status-switch.tsx';
import { StationPicker, useSeveralStations } from '#resource/stations/station-picker.tsx';
import { AccountDrawer } from './users/account-drawer.tsx';
import { AccountForm } from '#resource/accounts/account-form.tsx';
import { useAccountActions } from './users/actions.tsx';
import { AccountCard, useAccountColumns } from './users/columns.tsx';
import { IssuedPasswordDialog } from '#resource/accounts/issued-password.tsx';
import type { IssuedPassword } from '#resource/accounts/issued-password.tsx';
import { ResetDialog } from './users/reset-dialog.tsx';
import { useAccountWords, useStationName } from '#resource/accounts/account-words.ts';

const shows = [listAccounts, getAccount, listAudit] as const;

const useFilters = (): ListFilter[] => {
  const { t } = useTexts();
  const words = useAccountWords();
  const { role } = useUser();
  const several = useSeveralStations();
  const [chosen, setChosen] = useState('');
  const nameOf = useStationName();
  const flags = (on: string, off: string) => [
    { value: '1', label: on },
    { value: '0', label: off },
  ];
  return [
    ...(role === 'station'
      ? []
      : [
          {
            key: 'role',
            kind: 'choice' as const,
            label: words.role.label,
            options: rolesBelow(role).map((one) => ({ value: one, label: t(`shell.role.${one}`) })),
          },
        ]),
    ...(several
      ? [
          {
            key: 'station_id',
            kind: 'own' as const,
            label: words.station_id.label,
            words: (value: string) => chosen || nameOf(Number(value)),
            control: (
              value: string,
              change: (value: string | undefined) => void,
              bare: boolean,
            ) => (
              <StationPicker
                label={words.station_id.label}
                bare={bare}
                clearable
                value={value === '' ? null : Number(value)}
                shown={value === '' ? undefined : chosen || nameOf(Number(value))}
                onChange={(id, name) => {
                  setChosen(name);
                  change(id === null ? undefined : String(id));
                }}
              />
            ),
          },
        ]
      : []),
    {
      key: 'status',
      kind: 'choice',
      label: words.status.label,
      options: flags(t('lists.enabled'), t('lists.disabled')),
    },
    {
      key: 'second_factor',
      kind: 'choice',
      label: words.second_factor.label,
      options: flags(t('people.on'), t('people.off')),
      more: true,
    },
  ];
};

export const Page = () => {
  const { t } = useTexts();
  const list = useList({
    name: 'users',
    endpoint: listAccounts,
    filters: useFilters(),
    sort: 'username',
    exportable: true,
  });
  const switching = useStatusSwitch({ endpoint: setAccountStatus, refreshes: shows });
  const [resetting, setResetting] = useState<{ account: Account; how: 'make' | 'link' } | null>(
    null,
  );
  const [issued, setIssued] = useState<IssuedPassword | null>(null);
  const edit = (row: Account): void => list.openForm(row.id);
  const actions = useAccountActions({
    edit,
    reset: (account) => setResetting({ account, how: 'make' }),
    invite: (account) => setResetting({ account, how: 'link' }),
    refreshes: shows,
  });
  const columns = useAccountColumns(actions, switching, list.open);
  const saved = (row: Account, again: boolean): void => {
    notify.success(t(list.form === 'new' ? 'lists.added' : 'lists.saved', { name: row.username }));
    void refresh(...shows);
    if (!again) list.closeForm();
  };
  return (
    <ListPage
      list={list}
      title={t('menu.users')}
      searches={t('people.searches')}
      columns={columns}
      nameOf={({ username }) => username}
      card={AccountCard}
      create={{ label: t('people.new'), run: () => list.openForm('new') }}
      keys={[{ keys: 'e', label: t('lists.edit'), run: edit }]}
      hint={t('people.hint')}
    >
      <AccountDrawer list={list} switching={switching} actions={actions} />
      {list.form === 'new' && (
        <AccountForm row={null} onSaved={saved} onIssued={setIssued} onClose={list.closeForm} />
      )}
      {typeof list.form === 'number' && (
        <LoadedForm
          key={list.form}
          endpoint={getAccount}
          id={list.form}
          title={t('lists.edit')}
          onClose={list.closeForm}
        >
          {(row) => (
            <AccountForm row={row} onSaved={saved} onIssued={setIssued} onClose={list.closeForm} />
          )}
        </LoadedForm>
      )}
      {resetting && (
        <ResetDialog
          {...resetting}
          onDone={(done) => {
            setResetting(null);
            if (done === null)
              notify.success(t('people.reset_done', { name: resetting.account.username }));
            else setIssued(done);
            void refresh(...shows);
          }}
          onClose={() => setResetting(null)}
        />
      )}
      {issued && <IssuedPasswordDialog issued={issued} onClose={() => setIssued(null)} />}
    </ListPage>
  );
};
