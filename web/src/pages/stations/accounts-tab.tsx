import { mostPageSize } from '@waystation/contract/base/limits.ts';
import { listAccounts } from '@waystation/contract/people/account.ts';
import type { Station } from '@waystation/contract/network/station.ts';
import { useFormat } from '#base/format.ts';
import { useCall } from '#base/query.ts';
import { useTexts } from '#base/texts.ts';
import { screenHref } from '#shell/tabs/open-screen.ts';
import { ErrorPanel } from '#ui/error-panel.tsx';
import styles from './stations.module.css';

/** The accounts of the station that this user may manage. */
export const AccountsTab = ({ station }: { station: Station }) => {
  const { t } = useTexts();
  const format = useFormat();
  const { data, error, refetch } = useCall(
    listAccounts,
    { station_id: station.id, page_size: mostPageSize },
    { quiet: true, staleTime: 0 },
  );
  if (!data) return error ? <ErrorPanel error={error} onRetry={refetch} /> : null;
  if (data.items.length === 0) return <p className={styles['note']}>{t('stations.no_accounts')}</p>;
  return (
    <div className={styles['scroll']}>
      <table className={styles['lines']}>
        <thead>
          <tr>
            <th scope="col">{t('stations.account_name')}</th>
            <th scope="col">{t('stations.account_role')}</th>
            <th scope="col">{t('lists.status')}</th>
            <th scope="col">{t('stations.account_seen')}</th>
          </tr>
        </thead>
        <tbody>
          {data.items.map((account) => (
            <tr key={account.id}>
              <td>
                <a href={screenHref('AccountTable', { station_id: station.id, id: account.id })}>
                  {account.username}
                </a>
                {account.nickname !== '' && ` · ${account.nickname}`}
              </td>
              <td>{t(`shell.role.${account.role}`)}</td>
              <td>{t(account.status === 1 ? 'lists.enabled' : 'lists.disabled')}</td>
              <td>{account.last_seen_at === null ? '—' : format.time(account.last_seen_at)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
};
