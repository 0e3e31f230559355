import { boundedAudit } from '@waystation/contract/base/bounded-lists.ts';
import { countAudit, listAudit } from '@waystation/contract/shell/audit.ts';
import { auditActions, auditSubjects } from '@waystation/contract/shell/audit-words.ts';
import { useTexts } from '#base/texts.ts';
import { choicesOf } from '#resource/list/list-filters.ts';
import type { ListFilter } from '#resource/list/list-filters.ts';
import { ListPage } from '#resource/list/list-page.tsx';
import { useList } from '#resource/list/use-list.ts';
import { useStationFilter } from '#resource/stations/station-filter.tsx';
import { AuditDrawer } from './audit/audit-drawer.tsx';
import { AuditCard, useAuditColumns } from './audit/columns.tsx';
import { useAuditWords } from './audit/words.ts';

const useFilters = (): ListFilter[] => {
  const { t, language } = useTexts();
  const station = useStationFilter();
  return [
    { key: 'at', kind: 'days', label: t('audit.days') },
    {
      key: 'subject',
      kind: 'choice',
      label: t('audit.record'),
      options: choicesOf(auditSubjects, language),
    },
    {
      key: 'action',
      kind: 'choice',
      label: t('audit.action'),
      options: choicesOf(auditActions, language),
    },
    { key: 'account_name', kind: 'text', label: t('audit.account'), more: true },
    station,
    { key: 'subject_id', kind: 'text', label: t('audit.record_id'), more: true },
    { key: 'request_id', kind: 'text', label: t('audit.request'), more: true },
  ];
};

export const Page = () => {
  const { t } = useTexts();
  const list = useList({
    name: 'audit',
    endpoint: listAudit,
    counts: countAudit,
    filters: useFilters(),
    sort: '-at',
    bounded: boundedAudit,
    exportable: true,
  });
  const { sentence } = useAuditWords();
  return (
    <ListPage
      list={list}
      title={t('menu.audit')}
      searches={t('audit.searches')}
      columns={useAuditColumns(list.open)}
      nameOf={sentence}
      card={AuditCard}
      hint={t('audit.hint')}
    >
      <AuditDrawer list={list} />
    </ListPage>
  );
};
