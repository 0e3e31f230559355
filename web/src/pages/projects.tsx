import { useState } from 'react';
import { bulkProjects } from '@waystation/contract/shell/bulk.ts';
import { listAudit } from '@waystation/contract/shell/audit.ts';
import {
  getProject,
  listProjects,
  projectUsage,
  schemeStations,
  setProjectStatus,
  splitProject,
} from '@waystation/contract/network/project.ts';
import type { Project, ProjectDetails } from '@waystation/contract/network/project.ts';
import { call } from '#base/call.ts';
import { notify } from '#ui/overlay/notify.tsx';
import { refresh } from '#base/query.ts';
import { useTexts } from '#base/texts.ts';
import { LoadedForm } from '#resource/form/loaded-form.tsx';
import { useKnownWords } from '#resource/record/known-words.ts';
import type { ListFilter } from '#resource/list/list-filters.ts';
import { BulkSwitch } from '#resource/list/bulk-actions.tsx';
import { ListPage } from '#resource/list/list-page.tsx';
import { useList } from '#resource/list/use-list.ts';
import { useReplacing } from '#resource/record/use-replacing.ts';
import { useStatusSwitch } from '#resource/record/use-status-switch.tsx';
import { Button } from '#ui/button.tsx';
import { lazyComponent } from '#ui/lazy.tsx';
import type { RowAction } from '#ui/overlay/row-action.ts';
import { AssignDrawer } from './projects/assign-drawer.tsx';
import { ProjectCard, useProjectColumns } from './projects/columns.tsx';
import { CopyDialog } from './projects/copy-dialog.tsx';
import { DisableDialog } from './projects/disable-dialog.tsx';
import { ProjectDrawer } from './projects/project-drawer.tsx';
import { ProjectForm } from './projects/project-form.tsx';
import { usePercentOptions, useProjectWords } from './projects/words.ts';

/** Loaded when the dialog is opened for the first time. */
const CompareDialog = lazyComponent(
  async () => (await import('./projects/compare-dialog.tsx')).CompareDialog,
);

const shows = [listProjects, getProject, schemeStations, splitProject, listAudit] as const;

const stationsUsing = async (id: number): Promise<number | null> => {
  const { items } = await call(projectUsage, { id });
  return items.find(({ what }) => what === 'stations')?.count ?? null;
};

/**
 * The page of freight schemes (requirements §2, ProjectTable): the template for each delivery time,
 * the profit shares, and the stations that use the scheme.
 */
export const Page = () => {
  const { t } = useTexts();
  const words = useProjectWords();
  const { statuses } = useKnownWords();
  const percents = usePercentOptions();
  const [assigning, setAssigning] = useState<Project | null>(null);
  const [copying, setCopying] = useState<Project | null>(null);
  const [comparing, setComparing] = useState<readonly [number, number] | null>(null);
  const filters: ListFilter[] = [
    {
      key: 'percent_type',
      kind: 'choice',
      label: words.percent_type.label,
      options: percents.map(({ value, label }) => ({ value: String(value), label })),
    },
    { key: 'status', kind: 'choice', label: words.status.label, options: statuses },
  ];
  const list = useList({
    name: 'projects',
    endpoint: listProjects,
    filters,
    sort: 'name',
    exportable: true,
    refreshes: shows,
  });
  const { switching, replaced, close } = useReplacing(
    useStatusSwitch({ endpoint: setProjectStatus, refreshes: [...shows, projectUsage] }),
    stationsUsing,
  );
  const edit = (row: Project): void => list.openForm(row.id);
  const actions: RowAction<Project>[] = [
    { key: 'edit', label: t('lists.edit'), run: edit },
    {
      key: 'assign',
      label: t('projects.assign'),
      blocked: ({ status }) => (status === 0 ? t('projects.disabled_blocks') : null),
      run: setAssigning,
    },
    { key: 'copy', label: t('projects.copy'), run: setCopying },
  ];
  const columns = useProjectColumns(actions, switching, list.open);
  const saved = (row: ProjectDetails, again: boolean): void => {
    notify.success(t(list.form === 'new' ? 'lists.added' : 'lists.saved', { name: row.name }));
    void refresh(...shows);
    if (!again) list.closeForm();
  };
  const [first, second] = list.chosen;
  const two = list.chosen.length === 2 && first && second ? ([first.id, second.id] as const) : null;
  return (
    <ListPage
      list={list}
      title={t('menu.projects')}
      searches={t('projects.searches')}
      columns={columns}
      nameOf={({ name }) => name}
      card={ProjectCard}
      create={{ label: t('projects.new'), run: () => list.openForm('new') }}
      keys={[{ keys: 'e', label: t('lists.edit'), run: edit }]}
      bulk={
        <>
          <Button
            disabled={two === null}
            title={t('projects.compare_hint')}
            onClick={() => setComparing(two)}
          >
            {t('projects.compare')}
          </Button>
          <BulkSwitch list={list} endpoint={bulkProjects} />
        </>
      }
      hint={t('projects.hint')}
    >
      <ProjectDrawer list={list} switching={switching} onAssign={setAssigning} />
      {list.form === 'new' && <ProjectForm row={null} onSaved={saved} onClose={list.closeForm} />}
      {typeof list.form === 'number' && (
        <LoadedForm
          key={list.form}
          endpoint={getProject}
          id={list.form}
          title={t('lists.edit')}
          onClose={list.closeForm}
        >
          {(row) => <ProjectForm row={row} onSaved={saved} onClose={list.closeForm} />}
        </LoadedForm>
      )}
      {assigning && (
        <AssignDrawer
          project={assigning}
          onClose={() => setAssigning(null)}
          onDone={() => {
            setAssigning(null);
            void refresh(...shows);
          }}
        />
      )}
      {copying && (
        <CopyDialog
          project={copying}
          onClose={() => setCopying(null)}
          onDone={(copy) => {
            setCopying(null);
            notify.success(t('lists.added', { name: copy.name }));
            void refresh(...shows);
          }}
        />
      )}
      {replaced && (
        <DisableDialog
          key={replaced.id}
          replaced={replaced}
          refreshes={[...shows, projectUsage]}
          onClose={close}
        />
      )}
      {comparing && <CompareDialog ids={comparing} onClose={() => setComparing(null)} />}
    </ListPage>
  );
};
