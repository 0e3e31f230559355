import { roles } from '@waystation/contract/base/roles.ts';
import { fittedWidth } from '#resource/table/fitted-width.ts';
import type { Account } from '@waystation/contract/people/account.ts';
import { useFormat } from '#base/format.ts';
import { useTexts } from '#base/texts.ts';
import { NameCell, TimeCell, textColumn } from '#resource/list/cells.tsx';
import { RowActions } from '#resource/list/row-actions.tsx';
import { StatusSwitch, switchWidth } from '#resource/record/use-status-switch.tsx';
import type { StatusSwitching } from '#resource/record/use-status-switch.tsx';
import type { Column } from '#resource/table/column.ts';
import { Phone } from '#ui/values/waybill.tsx';
import type { RowAction } from '#ui/overlay/row-action.ts';
import { Joined, RowCard } from '#resource/table/row-card.tsx';
import styles from './users.module.css';
import { useAccountWords } from '#resource/accounts/account-words.ts';

const LastSeen = ({ at }: { at: string | null }) => {
  const { t } = useTexts();
  return at === null ? (
    <span className={styles['quiet']}>{t('people.never_seen')}</span>
  ) : (
    <TimeCell at={at} />
  );
};

const InvitationTag = ({ state }: { state: 'open' | 'ended' }) => {
  const { t } = useTexts();
  return (
    <span
      className={styles[state === 'open' ? 'on' : 'due']}
      title={t(`people.invitation_state.${state}`)}
    >
      {t(`people.invitation_tag.${state}`)}
    </span>
  );
};

/**
 * The security of an account: an open invitation, a password that must be changed, or whether
 * two-factor authentication is on.
 */
const Security = ({ account }: { account: Account }) => {
  const { t } = useTexts();
  if (account.invitation !== null) return <InvitationTag state={account.invitation} />;
  if (account.must_change === 1)
    return <span className={styles['due']}>{t('people.must_change_tag')}</span>;
  return account.second_factor === 1 ? (
    <span className={styles['on']}>{t('people.on')}</span>
  ) : (
    <span className={styles['quiet']}>{t('people.off')}</span>
  );
};

export const useAccountColumns = (
  actions: readonly RowAction<Account>[],
  switching: StatusSwitching,
  open: (row: Account) => void,
): Column<Account>[] => {
  const { t } = useTexts();
  const format = useFormat();
  const words = useAccountWords();
  return [
    {
      key: 'username',
      title: words.username.label,
      width: 120,
      grow: true,
      pin: 'start',
      fixed: true,
      sort: 'username',
      cell: (row) => <NameCell name={row.username} onOpen={() => open(row)} />,
    },
    {
      key: 'nickname',
      title: words.nickname.label,
      width: 96,
      grow: true,
      sort: 'nickname',
      ...textColumn((row: Account) => row.nickname),
    },
    {
      key: 'role',
      title: words.role.label,
      width: fittedWidth(words.role.label, {
        sorts: true,
        texts: roles.map((role) => t(`shell.role.${role}`)),
      }),
      sort: 'role',
      cell: (row) => t(`shell.role.${row.role}`),
    },
    {
      key: 'station_name',
      title: words.station_id.label,
      width: 120,
      grow: true,
      ...textColumn((row: Account) => row.station_name ?? ''),
    },
    {
      key: 'phone',
      title: words.phone.label,
      width: 112,
      cell: (row) => (row.phone === '' ? '—' : <Phone number={row.phone} />),
    },
    {
      key: 'status',
      title: words.status.label,
      width: fittedWidth(words.status.label, {
        sorts: true,
        texts: [t('lists.enabled'), t('lists.disabled')],
        beside: switchWidth,
      }),
      sort: 'status',
      cell: (row) => <StatusSwitch row={row} name={row.username} switching={switching} />,
    },
    {
      key: 'last_seen_at',
      title: words.last_seen_at.label,
      width: fittedWidth(words.last_seen_at.label, { least: 104 }),
      cell: (row) => <LastSeen at={row.last_seen_at} />,
    },
    {
      key: 'sessions',
      title: t('people.sessions'),
      width: fittedWidth(t('people.sessions'), { sorts: true, least: 76 }),
      align: 'end',
      sort: 'sessions',
      cell: (row) => <span className="tabular">{format.number(row.sessions)}</span>,
    },
    {
      key: 'second_factor',
      title: t('people.two_factor'),
      width: fittedWidth(t('people.two_factor'), { least: 88 }),
      cell: (row) => <Security account={row} />,
    },
    {
      key: 'registered_at',
      title: words.registered_at.label,
      width: 112,
      aside: true,
      sort: 'registered_at',
      cell: (row) => <TimeCell at={row.registered_at} />,
    },
    {
      key: 'actions',
      title: t('lists.actions'),
      width: 184,
      pin: 'end',
      fixed: true,
      cell: (row) => <RowActions row={row} name={row.username} actions={actions} />,
    },
  ];
};

/** An account as a card, for narrow screens. */
export const AccountCard = ({ row }: { row: Account }) => {
  const { t } = useTexts();
  const words = useAccountWords();
  return (
    <RowCard>
      <div>
        <strong>{row.nickname || row.username}</strong>
        {row.invitation !== null && <InvitationTag state={row.invitation} />}
        {row.invitation === null && row.must_change === 1 && (
          <span className={styles['due']}>{t('people.must_change_tag')}</span>
        )}
        <span className={`${styles['quiet']} ${styles['end']}`}>
          {words.status.show(row.status)}
        </span>
      </div>
      <div className={styles['quiet']}>
        <Joined of={[row.username, t(`shell.role.${row.role}`), row.station_name]} />
      </div>
    </RowCard>
  );
};
