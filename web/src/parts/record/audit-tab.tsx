import { useState } from 'react';
import { listAudit } from '@waystation/contract/audit.ts';
import type { AuditRow } from '@waystation/contract/audit.ts';
import { roles } from '@waystation/contract/roles.ts';
import { useFormat } from '#app/format.ts';
import { useCall } from '#app/query.ts';
import { useTexts } from '#app/texts.ts';
import { shownValue } from '#parts/record-words.ts';
import type { RecordWords } from '#parts/record-words.ts';
import { Button } from '#ui/button.tsx';
import { CopyButton } from '#ui/copy-button.tsx';
import { Empty } from '#ui/empty.tsx';
import { ErrorPanel } from '#ui/error-panel.tsx';
import styles from './record.module.css';

interface Props {
  /** Table and id of the record. */
  subject: string;
  id: number;
  words: RecordWords;
  /** What a resource's own actions are called; create, edit, enable and disable have their words here. */
  actions?: Readonly<Record<string, string>>;
}

const first = 20;
const most = 200;

const Change = ({ row, words, actions }: { row: AuditRow } & Pick<Props, 'words' | 'actions'>) => {
  const { t } = useTexts();
  const format = useFormat();
  const known: Record<string, string> = {
    create: t('lists.act.create'),
    edit: t('lists.act.edit'),
    enable: t('lists.act.enable'),
    disable: t('lists.act.disable'),
    order: t('lists.act.order'),
    ...actions,
  };
  const role = roles.find((each) => each === row.role);
  const changes = Object.entries(row.changes);
  return (
    <li className={styles['change']}>
      <div className={styles['who']}>
        <strong>{known[row.action] ?? row.action}</strong>
        <span>{row.account_name || t('lists.system')}</span>
        <time className="tabular" dateTime={row.at} title={format.moment(row.at)}>
          {format.time(row.at)} · {format.relative(row.at)}
        </time>
      </div>
      {row.reason !== '' && <p className={styles['reason']}>{t('lists.reason', { reason: row.reason })}</p>}
      {changes.length > 0 && (
        <dl className={styles['changes']}>
          {changes.map(([field, [from, to]]) => (
            <div key={field}>
              <dt>{words[field]?.label ?? field}</dt>
              <dd>
                {from === null && to === null ? (
                  t('lists.hidden_change')
                ) : row.action === 'create' ? (
                  shownValue(words[field], to)
                ) : (
                  <>
                    <del>{shownValue(words[field], from)}</del>
                    <span aria-hidden> → </span>
                    <ins>{shownValue(words[field], to)}</ins>
                  </>
                )}
              </dd>
            </div>
          ))}
        </dl>
      )}
      <p className={styles['where']}>
        {[role ? t(`shell.role.${role}`) : row.role === 'system' ? t('lists.system') : row.role, row.address].filter(Boolean).join(' · ')}
        {row.request_id !== '' && (
          <>
            {' · '}
            <code>{row.request_id}</code>
            <CopyButton text={row.request_id} label={t('common.copy_request_id')} />
          </>
        )}
      </p>
    </li>
  );
};

/** What was done to a record: by whom, from where, what it was before and after, and why. The newest first. */
export const AuditTab = ({ subject, id, words, actions }: Props) => {
  const { t } = useTexts();
  const [size, setSize] = useState(first);
  const { data, error, refetch, isFetching } = useCall(listAudit, { subject, subject_id: id, page_size: size }, { quiet: true, keep: true, staleTime: 0 });
  if (!data)
    return error ? <ErrorPanel error={error} onRetry={refetch} /> : <div className={styles['wait']} role="status" aria-busy aria-label={t('shell.loading')} />;
  if (data.items.length === 0) return <Empty title={t('lists.no_audit')} hint={t('lists.no_audit_hint')} />;
  return (
    <>
      <ol className={styles['audit']} aria-label={t('lists.audit')}>
        {data.items.map((row) => (
          <Change key={row.id} row={row} words={words} {...(actions && { actions })} />
        ))}
      </ol>
      {data.total > data.items.length && size < most && (
        <Button block loading={isFetching} onClick={() => setSize(Math.min(most, size * 2))}>
          {t('lists.older')}
        </Button>
      )}
    </>
  );
};
