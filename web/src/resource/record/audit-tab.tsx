import { useState } from 'react';
import { mostPageSize } from '@waystation/contract/base/limits.ts';
import { listAudit } from '@waystation/contract/shell/audit.ts';
import type { AuditRow } from '@waystation/contract/shell/audit.ts';
import { roles } from '@waystation/contract/base/roles.ts';
import { useFormat } from '#base/format.ts';
import { useCall } from '#base/query.ts';
import { useTexts } from '#base/texts.ts';
import { callerName } from './caller-name.ts';
import { shownValue } from './record-words.ts';
import type { RecordWords } from './record-words.ts';
import { Button } from '#ui/button.tsx';
import { CodeText } from '#ui/values/code-text.tsx';
import { Empty } from '#ui/empty.tsx';
import { ErrorPanel } from '#ui/error-panel.tsx';
import { Waiting } from '#ui/waiting.tsx';
import styles from './record.module.css';
import { useUndo } from './use-undo.ts';

interface Props {
  /** The name of the table that contains the record. `id` is the id of the record. */
  subject: string;
  id: number;
  words: RecordWords;
  /**
   * The texts of actions that only this kind of record has. The texts of create, edit, enable and
   * disable are in this file.
   */
  actions?: Readonly<Record<string, string>>;
}

/**
 * The number of changes that are shown at first, and the maximum number of changes that can be
 * shown.
 */
export const auditSizes = { first: 20, most: mostPageSize } as const;

const Change = ({ row, words, actions }: { row: AuditRow } & Pick<Props, 'words' | 'actions'>) => {
  const { t, language } = useTexts();
  const format = useFormat();
  const known: Record<string, string> = {
    create: t('lists.act.create'),
    edit: t('lists.act.edit'),
    enable: t('lists.act.enable'),
    disable: t('lists.act.disable'),
    order: t('lists.act.order'),
    ...actions,
  };
  const { busy, offers, press } = useUndo();
  const role = roles.find((each) => each === row.role);
  const changes = Object.entries(row.changes);
  return (
    <li className={styles['change']}>
      <div className={styles['who']}>
        <strong>{known[row.action] ?? row.action}</strong>
        <span>{callerName(row, language) || t('lists.system')}</span>
        <time className="tabular" dateTime={row.at} title={format.moment(row.at)}>
          {format.time(row.at)} · {format.relative(row.at)}
        </time>
      </div>
      {offers(row) && (
        <Button size="small" type="link" loading={busy.has(row.id)} onClick={() => void press(row)}>
          {t('lists.log_undo')}
        </Button>
      )}
      {row.reason !== '' && (
        <p className={styles['reason']}>{t('lists.reason', { reason: row.reason })}</p>
      )}
      {changes.length > 0 && (
        <dl className={styles['changes']}>
          {changes.map(([field, [from, to]]) => (
            <div key={field}>
              <dt>{words[field]?.label ?? field}</dt>
              <dd>
                {from === null && to === null ? (
                  t('lists.hidden_change')
                ) : row.action === 'create' || from === null ? (
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
        {[
          role ? t(`shell.role.${role}`) : row.role === 'system' ? t('lists.system') : row.role,
          row.address,
        ]
          .filter(Boolean)
          .join(' · ')}
        {row.request_id !== '' && (
          <>
            {' · '}
            <CodeText code={row.request_id}>
              <code>{row.request_id}</code>
            </CodeText>
          </>
        )}
      </p>
    </li>
  );
};

interface ListProps extends Pick<Props, 'words' | 'actions'> {
  reading: {
    data: { items: AuditRow[]; next_cursor: string | null } | undefined;
    error: unknown;
    refetch: () => unknown;
    isFetching: boolean;
  };
  size: number;
  onSize: (size: number) => void;
}

/**
 * The changes of a record, the newest first. Each change shows the person, the IP address, the
 * values before and after, and the reason.
 */
export const AuditList = ({
  reading: { data, error, refetch, isFetching },
  words,
  actions,
  size,
  onSize,
}: ListProps) => {
  const { t } = useTexts();
  if (!data) return error ? <ErrorPanel error={error} onRetry={refetch} /> : <Waiting />;
  if (data.items.length === 0)
    return <Empty title={t('lists.no_audit')} hint={t('lists.no_audit_hint')} />;
  return (
    <>
      <ol className={styles['audit']} aria-label={t('lists.audit')}>
        {data.items.map((row) => (
          <Change key={row.id} row={row} words={words} {...(actions && { actions })} />
        ))}
      </ol>
      {data.next_cursor !== null && size < auditSizes.most && (
        <Button
          block
          loading={isFetching}
          onClick={() => onSize(Math.min(auditSizes.most, size * 2))}
        >
          {t('lists.older')}
        </Button>
      )}
    </>
  );
};

/** The change history of a record. Partners and stations may read it too. */
export const AuditTab = ({ subject, id, words, actions }: Props) => {
  const [size, setSize] = useState<number>(auditSizes.first);
  const reading = useCall(
    listAudit,
    { subject, subject_id: id, page_size: size },
    { quiet: true, keep: true, staleTime: 0 },
  );
  return (
    <AuditList
      reading={reading}
      words={words}
      {...(actions && { actions })}
      size={size}
      onSize={setSize}
    />
  );
};
