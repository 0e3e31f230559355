import { getProject, schemeStations } from '@waystation/contract/network/project.ts';
import type { Project, ProjectDetails } from '@waystation/contract/network/project.ts';
import { useFormat } from '#base/format.ts';
import { useCall } from '#base/query.ts';
import { useTexts } from '#base/texts.ts';
import { useKnownWords } from '#resource/record/known-words.ts';
import type { List } from '#resource/list/use-list.ts';
import { AuditTab } from '#resource/record/audit-tab.tsx';
import { RecordDrawer } from '#resource/record/record-drawer.tsx';
import { StatusSwitch } from '#resource/record/use-status-switch.tsx';
import type { StatusSwitching } from '#resource/record/use-status-switch.tsx';
import { shownValue } from '#resource/record/record-words.ts';
import { Button } from '#ui/button.tsx';
import { Empty } from '#ui/empty.tsx';
import { ErrorPanel } from '#ui/error-panel.tsx';
import { Facts } from '#ui/facts.tsx';
import primitives from '#ui/primitives.module.css';
import styles from './projects.module.css';
import { SplitTab } from './split-tab.tsx';
import { useProjectWords } from './words.ts';

const Overview = ({ project }: { project: ProjectDetails }) => {
  const { t } = useTexts();
  const format = useFormat();
  const words = useProjectWords();
  const { provider } = useKnownWords();
  return (
    <>
      <Facts
        facts={[
          ...(['name', 'percent_type', 'status'] as const).map((key) => ({
            key,
            label: words[key].label,
            value: shownValue(words[key], project[key]),
          })),
          {
            key: 'station_count',
            label: t('projects.stations_long'),
            value: format.number(project.station_count),
          },
          { key: 'id', label: 'ID', value: project.id },
          {
            key: 'created_at',
            label: t('lists.created'),
            value: format.moment(project.created_at),
          },
          {
            key: 'updated_at',
            label: t('lists.updated'),
            value: format.moment(project.updated_at),
          },
          { key: 'changed_by', label: t('projects.changed_by'), value: project.changed_by },
        ]}
      />
      <h2 className={styles['heading']} data-field="voucher_count vouchers">
        {t('projects.matrix')} {format.number(project.voucher_count)}
      </h2>
      {project.vouchers.length === 0 ? (
        <Empty title={t('projects.no_matrix')} hint={t('projects.no_matrix_hint')} />
      ) : (
        <table className={styles['bound']}>
          <thead>
            <tr>
              <th scope="col">{t('projects.promise')}</th>
              <th scope="col">{t('common.carrier')}</th>
              <th scope="col">{t('projects.template')}</th>
            </tr>
          </thead>
          <tbody>
            {project.vouchers.map((voucher) => (
              <tr key={voucher.voucher_id}>
                <th scope="row">{voucher.promise_name}</th>
                <td>{provider.show(voucher.provider)}</td>
                <td>
                  {voucher.voucher_name}
                  {voucher.usable === 0 && (
                    <span className={styles['warn']}>{t('projects.unusable')}</span>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </>
  );
};

const Stations = ({ id }: { id: number }) => {
  const { t } = useTexts();
  const { data, error, refetch } = useCall(
    schemeStations,
    { project_id: id },
    { quiet: true, staleTime: 0 },
  );
  if (error) return <ErrorPanel error={error} onRetry={refetch} />;
  if (!data) return <p aria-busy>{t('shell.loading')}</p>;
  if (data.items.length === 0)
    return <Empty title={t('projects.no_stations')} hint={t('projects.no_stations_hint')} />;
  return (
    <ul className={`${primitives['list']} ${styles['stations']}`}>
      {data.items.map((station) => (
        <li key={station.id}>
          {station.name}
          {station.status === 0 && <span className={styles['quiet']}> {t('lists.disabled')}</span>}
        </li>
      ))}
    </ul>
  );
};

interface Props {
  list: List<Project>;
  switching: StatusSwitching;
  onAssign: (project: Project) => void;
}

/**
 * The drawer of one freight scheme: its templates, its stations, its profit shares, and its change
 * history.
 */
export const ProjectDrawer = ({ list, switching, onAssign }: Props) => {
  const { t } = useTexts();
  const words = useProjectWords();
  const { opened } = list;
  const { data, error, refetch } = useCall(getProject, opened === null ? null : { id: opened }, {
    quiet: true,
    staleTime: 0,
  });
  const project = data?.id === opened ? data : undefined;
  const actions = { copy: t('projects.copied_act'), assign: t('projects.assigned_act') };
  const allWords = {
    ...words,
    stations: {
      label: t('projects.stations'),
      show: (value: unknown) => (Array.isArray(value) ? value.join(', ') : String(value)),
    },
  };
  return (
    <RecordDrawer
      list={list}
      title={project?.name ?? list.openedRow?.name ?? t('shell.loading')}
      reading={{ ready: project !== undefined, error, retry: refetch }}
      tabs={[
        {
          key: 'overview',
          label: t('lists.overview'),
          content: project && <Overview project={project} />,
        },
        {
          key: 'stations',
          label: t('projects.stations'),
          content: project && <Stations key={project.id} id={project.id} />,
        },
        {
          key: 'split',
          label: t('projects.split'),
          content: project && <SplitTab key={project.id} project={project} />,
        },
        {
          key: 'audit',
          label: t('lists.audit'),
          content: project && (
            <AuditTab
              key={project.id}
              subject="projects"
              id={project.id}
              words={allWords}
              actions={actions}
            />
          ),
        },
      ]}
      actions={
        project && (
          <>
            <Button type="primary" onClick={() => list.openForm(project.id)}>
              {t('lists.edit')}
            </Button>
            <Button disabled={project.status === 0} onClick={() => onAssign(project)}>
              {t('projects.assign')}
            </Button>
            <StatusSwitch row={project} name={project.name} switching={switching} />
          </>
        )
      }
    />
  );
};
