import type { AuditRow } from '@waystation/contract/shell/audit.ts';
import {
  auditField,
  auditSubjects,
  auditValue,
  isHidden,
} from '@waystation/contract/shell/audit-words.ts';
import { useFormat } from '#base/format.ts';
import { useTexts } from '#base/texts.ts';
import type { List } from '#resource/list/use-list.ts';
import { callerName } from '#resource/record/caller-name.ts';
import { listedRow } from '#resource/record/listed-row.ts';
import { RecordDrawer } from '#resource/record/record-drawer.tsx';
import { Button } from '#ui/button.tsx';
import { CodeText } from '#ui/values/code-text.tsx';
import { Empty } from '#ui/empty.tsx';
import { Facts } from '#ui/facts.tsx';
import primitives from '#ui/primitives.module.css';
import styles from './audit.module.css';
import { UndoButton, UndoRefused } from './undo-panel.tsx';
import { useAuditWords } from './words.ts';

const Changes = ({ row }: { row: AuditRow }) => {
  const { t, language } = useTexts();
  const changes = Object.entries(row.changes);
  if (changes.length === 0) return <p className={primitives['quiet']}>{t('audit.nothing')}</p>;
  return (
    <table className={styles['changes']}>
      <thead className="sr-only">
        <tr>
          <th scope="col">{t('lists.field')}</th>
          <th scope="col">{t('audit.changes')}</th>
        </tr>
      </thead>
      <tbody>
        {changes.map(([name, change]) => (
          <tr key={name}>
            <th scope="row">{auditField(row.subject, name, language)}</th>
            <td>
              {isHidden(change) ? (
                t('audit.hidden')
              ) : (
                <>
                  <del>{auditValue(row.subject, name, change[0], language)}</del>
                  <span aria-hidden> → </span>
                  <ins>{auditValue(row.subject, name, change[1], language)}</ins>
                </>
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
};

const Detail = ({ row }: { row: AuditRow }) => {
  const { t, language } = useTexts();
  const format = useFormat();
  const words = useAuditWords();
  return (
    <div className={styles['detail']}>
      <Facts
        facts={[
          { key: 'account', label: t('audit.account'), value: callerName(row, language) },
          { key: 'role', label: t('audit.role'), value: words.role(row) },
          {
            key: 'at',
            label: t('audit.at'),
            value: <time dateTime={row.at}>{format.moment(row.at)}</time>,
          },
          { key: 'address', label: t('audit.address'), value: row.address },
          { key: 'reason', label: t('audit.reason'), value: row.reason, wide: true },
          {
            key: 'request',
            label: t('audit.request'),
            wide: true,
            value: row.request_id && (
              <>
                <CodeText code={row.request_id}>
                  <code>{row.request_id}</code>
                </CodeText>
              </>
            ),
          },
        ]}
      />
      <UndoRefused key={row.id} row={row} />
      <h3>{t('audit.changes')}</h3>
      <Changes row={row} />
    </div>
  );
};

/**
 * The drawer of one change in the audit log. It shows all fields of the change, and links to the
 * changed record and to related changes.
 */
export const AuditDrawer = ({ list }: { list: List<AuditRow> }) => {
  const { t, language } = useTexts();
  const words = useAuditWords();
  const { row, reading } = listedRow(list);
  const href = row ? words.href(row) : null;
  return (
    <RecordDrawer
      list={list}
      title={row ? `${words.action(row)} · ${words.record(row)}` : t('menu.audit')}
      reading={reading}
      tabs={[
        {
          key: 'overview',
          label: t('lists.overview'),
          content: row ? (
            <Detail row={row} />
          ) : (
            <Empty title={t('lists.none_match')} hint={t('lists.none_match_hint')} />
          ),
        },
      ]}
      actions={
        row && (
          <>
            {href !== null && (
              <Button type="primary" href={href}>
                {t('audit.open_record', { record: auditSubjects[row.subject]![language] })}
              </Button>
            )}
            <UndoButton row={row} />
            {row.subject_id !== null && (
              <Button
                onClick={() =>
                  list.change({ subject: row.subject, subject_id: row.subject_id, id: undefined })
                }
              >
                {t('audit.same_record')}
              </Button>
            )}
            {row.request_id !== '' && (
              <Button onClick={() => list.change({ request_id: row.request_id, id: undefined })}>
                {t('audit.same_request')}
              </Button>
            )}
          </>
        )
      }
    />
  );
};
