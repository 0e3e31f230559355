import { useState } from 'react';
import { mostSchemeStations } from '@waystation/contract/base/limits.ts';
import {
  assignProject,
  previewProject,
  schemeStations,
} from '@waystation/contract/network/project.ts';
import type { Project } from '@waystation/contract/network/project.ts';
import { call } from '#base/call.ts';
import { useSubmit } from '#shell/submit/use-submit.ts';
import { useCall } from '#base/query.ts';
import { useTexts } from '#base/texts.ts';
import { useNarrow } from '#base/viewport.ts';
import { useSettled } from '#resource/stations/station-picker.tsx';
import { Button } from '#ui/button.tsx';
import { Checkbox } from '#ui/fields/checkbox.tsx';
import { ErrorPanel } from '#ui/error-panel.tsx';
import { Notice } from '#ui/notice.tsx';
import { Drawer } from '#ui/overlay/overlay.tsx';
import { TextField } from '#ui/fields/text-field.tsx';
import primitives from '#ui/primitives.module.css';
import styles from './projects.module.css';
import { PricePreview } from './price-preview.tsx';
import { SampleFields, sampleInput, useSample } from './sample.tsx';

interface Props {
  project: Project;
  onDone: () => void;
  onClose: () => void;
}

/**
 * Assigns a freight scheme to the selected stations. Before that, a sample parcel shows how the
 * price changes for each of them.
 */
export const AssignDrawer = ({ project, onDone, onClose }: Props) => {
  const { t } = useTexts();
  const narrow = useNarrow();
  const [typed, setTyped] = useState('');
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set());
  const [sample, setSample] = useSample();
  const q = useSettled(typed, 200).trim();
  const stations = useCall(schemeStations, q === '' ? {} : { q }, {
    keep: true,
    quiet: true,
    staleTime: 0,
  });
  const sampleQuery = sampleInput(useSettled(sample, 250));
  const ids = [...chosen].toSorted((a, b) => a - b);
  const preview = useCall(
    previewProject,
    ids.length === 0 || ids.length > mostSchemeStations || sampleQuery === null
      ? null
      : { id: project.id, station_ids: ids, ...sampleQuery },
    {
      keep: true,
      quiet: true,
      staleTime: 0,
    },
  );
  const items = (stations.data?.items ?? []).filter(({ project_id }) => project_id !== project.id);
  const toggle = (id: number): void => {
    const next = new Set(chosen);
    if (!next.delete(id)) next.add(id);
    setChosen(next);
  };
  const { failure, busy, submit } = useSubmit({
    send: async () => {
      const { changed } = await call(assignProject, { id: project.id, station_ids: ids });
      return t('projects.assigned', { name: project.name, count: changed });
    },
    onDone,
  });
  return (
    <Drawer
      open
      onClose={onClose}
      size={narrow ? '100%' : 720}
      title={t('projects.assign_title', { name: project.name })}
      footer={
        <div className={primitives['inline']}>
          <Button
            type="primary"
            loading={busy}
            disabled={ids.length === 0 || ids.length > mostSchemeStations}
            onClick={() => void submit()}
          >
            {t('projects.assign_to', { count: ids.length })}
          </Button>
          <Button disabled={busy} onClick={onClose}>
            {t('common.cancel')}
          </Button>
        </div>
      }
    >
      <div className={styles['assign']}>
        {failure !== null && <Notice tone="danger">{failure}</Notice>}
        {ids.length > mostSchemeStations && (
          <Notice tone="warn">{t('projects.too_many', { max: mostSchemeStations })}</Notice>
        )}
        <TextField label={t('projects.find_station')} value={typed} onChange={setTyped} />
        {stations.error !== null && (
          <ErrorPanel error={stations.error} onRetry={stations.refetch} />
        )}
        {stations.data && items.length === 0 && (
          <p className={styles['quiet']}>{t('projects.none_left')}</p>
        )}
        <ul className={styles['choose']} aria-label={t('projects.stations')}>
          {items.map((station) => (
            <li key={station.id}>
              <Checkbox checked={chosen.has(station.id)} onChange={() => toggle(station.id)}>
                {station.name}{' '}
                <span className={styles['quiet']}>
                  {station.project_name ?? t('projects.no_scheme')}
                </span>
              </Checkbox>
            </li>
          ))}
        </ul>
        <h2 className={styles['heading']}>{t('projects.preview')}</h2>
        <SampleFields sample={sample} onChange={setSample} />
        {preview.error !== null && <ErrorPanel error={preview.error} onRetry={preview.refetch} />}
        {ids.length === 0 ? (
          <p className={styles['quiet']}>{t('projects.choose_some')}</p>
        ) : (
          preview.data && <PricePreview items={preview.data.items} />
        )}
      </div>
    </Drawer>
  );
};
