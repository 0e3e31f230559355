import { useState } from 'react';
import { compareVoucher, listVoucherVersions } from '@waystation/contract/money/voucher.ts';
import type { Voucher } from '@waystation/contract/money/voucher.ts';
import { useFormat } from '#base/format.ts';
import { useCall } from '#base/query.ts';
import { useTexts } from '#base/texts.ts';
import { Empty } from '#ui/empty.tsx';
import { ErrorPanel } from '#ui/error-panel.tsx';
import { SelectField } from '#ui/fields/choice-fields.tsx';
import { ChangedCells } from './changed-cells.tsx';
import styles from './editor.module.css';
import { useRateWords } from './words.ts';

export const versionViews = [listVoucherVersions, compareVoucher] as const;

/**
 * The published versions of a template, and the differences between two versions or between a
 * version and the draft.
 */
export const VersionsPanel = ({ voucher }: { voucher: Voucher }) => {
  const { t } = useTexts();
  const format = useFormat();
  const rate = useRateWords();
  const { data, error, refetch } = useCall(
    listVoucherVersions,
    { id: voucher.id },
    { quiet: true, staleTime: 0 },
  );
  const [pair, setPair] = useState<{ from: number; to: number } | null>(null);
  const { from, to } = pair ?? { from: voucher.latest_no ?? 0, to: 0 };
  const compared = useCall(
    compareVoucher,
    voucher.latest_no === null ? null : { id: voucher.id, from, to },
    { quiet: true, keep: true, staleTime: 0 },
  );
  if (!data)
    return error ? (
      <ErrorPanel error={error} onRetry={refetch} />
    ) : (
      <p aria-busy>{t('shell.loading')}</p>
    );
  if (data.items.length === 0)
    return <Empty title={t('vouchers.no_versions')} hint={t('vouchers.no_versions_hint')} />;
  const options = [
    { value: 0, label: t('vouchers.draft') },
    ...data.items.map(({ no }) => ({ value: no, label: t('vouchers.version_no', { no }) })),
  ];
  const stands = ({ no }: { no: number }): string =>
    no === voucher.no ? t('vouchers.in_force') : '';
  return (
    <div className={styles['panel']}>
      <div
        className={styles['table']}
        tabIndex={0}
        role="region"
        aria-label={t('vouchers.versions')}
      >
        <table>
          <thead>
            <tr>
              <th scope="col">{t('vouchers.version')}</th>
              <th scope="col">{t('vouchers.valid_from')}</th>
              <th scope="col">{t('vouchers.valid_until')}</th>
              <th scope="col">{t('vouchers.discount')}</th>
              <th scope="col">{t('vouchers.published_by')}</th>
            </tr>
          </thead>
          <tbody>
            {data.items.map((version) => (
              <tr key={version.no}>
                <th scope="row">
                  {t('vouchers.version_no', { no: version.no })}{' '}
                  {stands(version) !== '' && (
                    <span className={styles['tag']}>{stands(version)}</span>
                  )}
                </th>
                <td>{format.moment(version.valid_from)}</td>
                <td>{version.valid_until ? format.moment(version.valid_until) : '—'}</td>
                <td>{rate(version.discount)}</td>
                <td>
                  {version.published_by ?? '—'} · {format.time(version.published_at)}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <h3>{t('vouchers.compare')}</h3>
      <div className={styles['pair']}>
        <SelectField
          label={t('common.before')}
          value={from}
          options={options}
          onChange={(value) => setPair({ from: value ?? 0, to })}
        />
        <SelectField
          label={t('common.after')}
          value={to}
          options={options}
          onChange={(value) => setPair({ from, to: value ?? 0 })}
        />
      </div>
      {compared.error ? (
        <ErrorPanel error={compared.error} onRetry={compared.refetch} />
      ) : (
        compared.data && <ChangedCells cells={compared.data.cells} />
      )}
    </div>
  );
};
