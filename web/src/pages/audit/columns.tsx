import type { AuditRow } from '@waystation/contract/shell/audit.ts';
import { useFormat } from '#base/format.ts';
import { useTexts } from '#base/texts.ts';
import { TextCell, textColumn } from '#resource/list/cells.tsx';
import { callerName } from '#resource/record/caller-name.ts';
import { CodeText } from '#ui/values/code-text.tsx';
import type { Column } from '#resource/table/column.ts';
import { Joined, RowCard } from '#resource/table/row-card.tsx';
import { useRowTab } from '#ui/row-tab.ts';
import primitives from '#ui/primitives.module.css';
import styles from './audit.module.css';
import { useAuditWords } from './words.ts';

const At = ({ row, onOpen }: { row: AuditRow; onOpen: () => void }) => {
  const format = useFormat();
  const tabIndex = useRowTab();
  return (
    <button
      type="button"
      className={`${primitives['linkButton']} ${styles['at']}`}
      tabIndex={tabIndex}
      title={`${format.relative(row.at)} · ${format.moment(row.at)}`}
      onClick={onOpen}
    >
      <time dateTime={row.at}>{format.time(row.at)}</time>
    </button>
  );
};

/** The cell with the name of the changed record, as a link to its screen. */
const RecordCell = ({ row }: { row: AuditRow }) => {
  const words = useAuditWords();
  const tabIndex = useRowTab();
  const href = words.href(row);
  const name = words.record(row);
  if (href === null) return <TextCell text={name} />;
  return (
    <a className={styles['cut']} href={href} tabIndex={tabIndex} title={name}>
      {name}
    </a>
  );
};

const RequestCell = ({ id }: { id: string }) => (
  <CodeText code={id}>
    <code className={styles['request']} title={id}>
      {id.slice(0, 8)}
    </code>
  </CodeText>
);

export const useAuditColumns = (open: (row: AuditRow) => void): Column<AuditRow>[] => {
  const { t, language } = useTexts();
  const words = useAuditWords();
  return [
    {
      key: 'at',
      title: t('audit.at'),
      width: 120,
      pin: 'start',
      fixed: true,
      sort: 'at',
      cell: (row) => <At row={row} onOpen={() => open(row)} />,
    },
    {
      key: 'account_name',
      title: t('audit.account'),
      width: 96,
      ...textColumn((row: AuditRow) => callerName(row, language)),
    },
    {
      key: 'role',
      title: t('audit.role'),
      width: 116,
      cell: (row) => words.role(row),
    },
    {
      key: 'action',
      title: t('audit.action'),
      width: 136,
      cell: (row) => <TextCell text={words.action(row)} />,
    },
    {
      key: 'subject',
      title: t('audit.record'),
      width: 152,
      cell: (row) => <RecordCell row={row} />,
    },
    {
      key: 'changes',
      title: t('audit.changes'),
      // The column has space for the amounts before and after a change of a balance, in both
      // languages.
      width: 216,
      grow: true,
      cell: (row) => <TextCell text={words.changes(row)} />,
    },
    {
      key: 'reason',
      title: t('audit.reason'),
      width: 104,
      cell: (row) => <TextCell text={row.reason} />,
    },
    {
      key: 'address',
      title: t('audit.address'),
      width: 108,
      cell: (row) => <span className="tabular">{row.address || '—'}</span>,
    },
    {
      key: 'request_id',
      title: t('audit.request'),
      width: 112,
      cell: (row) => <RequestCell id={row.request_id} />,
    },
  ];
};

/** A change in the audit log as a card, for narrow screens. */
export const AuditCard = ({ row }: { row: AuditRow }) => {
  const { language } = useTexts();
  const format = useFormat();
  const words = useAuditWords();
  const changes = words.changes(row);
  return (
    <RowCard>
      <div>
        <strong>{words.action(row)}</strong>
        <span>{words.record(row)}</span>
        <time className={`tabular ${styles['when']}`} dateTime={row.at}>
          {format.time(row.at)}
        </time>
      </div>
      {changes !== '' && <p className={styles['change']}>{changes}</p>}
      <div className={primitives['quiet']}>
        <Joined of={[callerName(row, language), words.role(row), row.address]} />
      </div>
    </RowCard>
  );
};
