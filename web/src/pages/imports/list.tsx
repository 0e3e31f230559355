import { DownloadOutlined } from '@ant-design/icons-svg';
import { useState } from 'react';
import {
  importStatuses,
  importTemplate,
  listImports,
} from '@waystation/contract/imports/import.ts';
import type { Import } from '@waystation/contract/imports/import.ts';
import { callFile } from '#base/call.ts';
import { useFormat } from '#base/format.ts';
import { useLiveEvents } from '#base/live-events.ts';
import { refresh } from '#base/query.ts';
import { saveFile } from '#base/save-file.ts';
import { useTexts } from '#base/texts.ts';
import { NameCell, TimeCell, textColumn } from '#resource/list/cells.tsx';
import { choicesOf } from '#resource/list/list-filters.ts';
import { ListPage } from '#resource/list/list-page.tsx';
import { useList } from '#resource/list/use-list.ts';
import type { Column } from '#resource/table/column.ts';
import { RowCard } from '#resource/table/row-card.tsx';
import { useActions } from '#shell/submit/use-actions.ts';
import { Button } from '#ui/button.tsx';
import { CodeText } from '#ui/values/code-text.tsx';
import { Icon } from '#ui/icon.tsx';
import styles from './imports.module.css';
import { UploadDialog } from './upload-dialog.tsx';
import { importsShown, isWorking, useImportWords } from './words.ts';

/** The progress of an import, and why it stopped. */
export const ImportStatus = ({ found }: { found: Import }) => {
  const words = useImportWords();
  const why = words.reason(found.reason);
  return (
    <span className={styles['status']} data-status={found.status} title={why}>
      {words.status(found)}
    </span>
  );
};

/** The button that downloads an empty sheet with column titles and examples. */
const Template = () => {
  const { t, language } = useTexts();
  const { busy, run } = useActions<'template'>();
  return (
    <Button
      icon={<Icon of={DownloadOutlined} />}
      loading={busy.has('template')}
      onClick={() =>
        void run('template', async () => {
          const file = await callFile(importTemplate, { language });
          saveFile(file.blob, file.name);
        })
      }
    >
      {t('imports.template')}
    </Button>
  );
};

const useColumns = (open: (found: Import) => void): Column<Import>[] => {
  const { t } = useTexts();
  const format = useFormat();
  const count = (n: number) => <span className="tabular">{format.number(n)}</span>;
  const number = (key: string, title: string, of: (row: Import) => number): Column<Import> => ({
    key,
    title,
    width: 84,
    align: 'end',
    cell: (row) => count(of(row)),
  });
  return [
    {
      key: 'file_name',
      title: t('imports.file'),
      width: 220,
      grow: true,
      fixed: true,
      pin: 'start',
      cell: (row) => <NameCell name={row.file_name} onOpen={() => open(row)} />,
    },
    {
      key: 'status',
      title: t('lists.status'),
      width: 144,
      cell: (row) => <ImportStatus found={row} />,
    },
    number('rows_total', t('imports.rows'), (row) => row.rows_total ?? row.rows_read),
    number('error', t('imports.marks.error'), ({ counts }) => counts.error),
    number('ordered', t('imports.ordered'), ({ counts }) => counts.ordered),
    number('refused', t('imports.refused'), ({ counts }) => counts.refused),
    {
      key: 'id',
      title: t('imports.number'),
      width: 88,
      aside: true,
      cell: (row) => <CodeText code={String(row.id)} />,
    },
    {
      key: 'station_name',
      title: t('common.station'),
      width: 144,
      ...textColumn((row: Import) => row.station_name),
    },
    {
      key: 'user_nickname',
      title: t('imports.by'),
      width: 104,
      ...textColumn((row: Import) => row.user_nickname),
    },
    {
      key: 'created_at',
      title: t('lists.created'),
      width: 112,
      sort: 'created_at',
      cell: (row) => <TimeCell at={row.created_at} />,
    },
  ];
};

const ImportCard = ({ row }: { row: Import }) => {
  const { t } = useTexts();
  const format = useFormat();
  return (
    <RowCard>
      <div>
        <strong>{row.file_name}</strong>
        <ImportStatus found={row} />
      </div>
      <div>
        {t('imports.rows')} {format.number(row.rows_total ?? row.rows_read)} ·{' '}
        {t('imports.ordered')} {format.number(row.counts.ordered)} · {row.station_name}
      </div>
    </RowCard>
  );
};

/**
 * The list of imports, newest first. While an import is in progress, the list is requested again
 * every second.
 */
export const Imports = () => {
  const { t, language } = useTexts();
  const [working, setWorking] = useState(false);
  const list = useList({
    name: 'imports',
    endpoint: listImports,
    filters: [
      { key: 'created', kind: 'days', label: t('lists.created') },
      {
        key: 'status',
        kind: 'choice',
        label: t('lists.status'),
        options: choicesOf(importStatuses, language),
      },
    ],
    sort: '-created_at',
    refetchInterval: working ? 1_000 : false,
  });
  useLiveEvents('import', () => void refresh(listImports));
  const still = list.rows?.some(isWorking) ?? false;
  if (still !== working) setWorking(still);
  const { search, setSearch } = list;
  const open = ({ id }: Pick<Import, 'id'>): void =>
    setSearch({ id, form: undefined, page: undefined }, { push: true });
  return (
    <ListPage
      list={{ ...list, open, refetch: () => refresh(...importsShown) }}
      title={t('menu.imports')}
      searches={t('imports.file')}
      slots={{ tools: <Template />, totals: null }}
      columns={useColumns(open)}
      nameOf={({ file_name }) => file_name}
      card={ImportCard}
      create={{ label: t('imports.new'), run: () => setSearch({ form: 'new' }) }}
      hint={t('imports.hint')}
    >
      {search['form'] === 'new' && (
        <UploadDialog
          onDone={(id) => open({ id })}
          onClose={() => setSearch({ form: undefined })}
        />
      )}
    </ListPage>
  );
};
