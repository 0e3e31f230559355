import { useState } from 'react';
import { mostPageSize } from '@waystation/contract/base/limits.ts';
import type { Endpoint } from '@waystation/contract/base/endpoint.ts';
import {
  listProjects,
  previewProject,
  schemeStations,
  setProjectStatus,
} from '@waystation/contract/network/project.ts';
import { call } from '#base/call.ts';
import { useFormat } from '#base/format.ts';
import { useCall } from '#base/query.ts';
import { useTexts } from '#base/texts.ts';
import { SubmitDialog } from '#resource/form/submit-dialog.tsx';
import { SuccessorField } from '#resource/record/successor-field.tsx';
import type { Replaced } from '#resource/record/use-replacing.ts';
import { useSettled } from '#resource/stations/station-picker.tsx';
import { useSubmit } from '#shell/submit/use-submit.ts';
import { ErrorPanel } from '#ui/error-panel.tsx';
import { Notice } from '#ui/notice.tsx';
import { PricePreview } from './price-preview.tsx';
import styles from './projects.module.css';
import { SampleFields, sampleInput, useSample } from './sample.tsx';

/** The preview shows the prices of at most this many stations. */
const previewed = 20;

/**
 * The price of a sample parcel for the stations of a scheme, before and after they change to
 * another scheme.
 */
const Changes = ({ from, to }: { from: number; to: number }) => {
  const { t } = useTexts();
  const format = useFormat();
  const [sample, setSample] = useSample();
  const input = sampleInput(useSettled(sample, 250));
  const stations = useCall(schemeStations, { project_id: from }, { quiet: true, staleTime: 0 });
  const ids = stations.data?.items.slice(0, previewed).map(({ id }) => id) ?? [];
  const preview = useCall(
    previewProject,
    ids.length === 0 || input === null ? null : { id: to, station_ids: ids, ...input },
    {
      keep: true,
      quiet: true,
      staleTime: 0,
    },
  );
  const error = stations.error ?? preview.error;
  return (
    <>
      <h3 className={styles['heading']}>{t('projects.preview')}</h3>
      <SampleFields sample={sample} onChange={setSample} />
      {error !== null && (
        <ErrorPanel
          error={error}
          onRetry={() => void Promise.all([stations.refetch(), preview.refetch()])}
        />
      )}
      {preview.data && (
        <div
          className={styles['changes']}
          role="region"
          tabIndex={0}
          aria-label={t('projects.preview')}
        >
          <PricePreview items={preview.data.items} />
        </div>
      )}
      {stations.data && stations.data.total > ids.length && (
        <p className={styles['quiet']}>
          {t('projects.preview_first', {
            count: format.number(ids.length),
            total: format.number(stations.data.total),
          })}
        </p>
      )}
    </>
  );
};

interface Props {
  /** The scheme to disable, with the number of stations that use it. */
  replaced: Replaced<number>;
  refreshes: readonly Endpoint[];
  onClose: () => void;
}

/**
 * Disables a freight scheme in use. In the same step, its stations get another scheme; a preview
 * first shows how their prices change.
 */
export const DisableDialog = ({ replaced: { id, name, uses }, refreshes, onClose }: Props) => {
  const { t } = useTexts();
  const format = useFormat();
  const [successor, setSuccessor] = useState<number | null>(null);
  const { data, error, refetch } = useCall(
    listProjects,
    { status: 1, sort: 'name', page_size: mostPageSize },
    { quiet: true, staleTime: 0 },
  );
  const options = (data?.items ?? [])
    .filter((project) => project.id !== id)
    .map((project) => ({ value: project.id, label: project.name }));
  const sending = useSubmit({
    fields: ['successor_id'],
    send: async () => {
      await call(setProjectStatus, { id, status: 0, successor_id: successor! });
      return t('projects.disabled_done', {
        name,
        count: format.number(uses),
        successor: options.find(({ value }) => value === successor)?.label ?? '',
      });
    },
    refreshes,
    onDone: onClose,
  });
  return (
    <SubmitDialog
      danger
      title={t('lists.disable_title', { name })}
      ok={t('lists.replace_and_disable')}
      width={720}
      blocked={data !== undefined && options.length === 0}
      sending={sending}
      check={() => ({ successor_id: successor === null ? t('common.required') : undefined })}
      onClose={onClose}
    >
      <Notice tone="warn">{t('projects.disable_hint', { count: format.number(uses) })}</Notice>
      {error !== null && <ErrorPanel error={error} onRetry={refetch} />}
      <SuccessorField
        label={t('projects.successor')}
        none={t('projects.no_successor')}
        options={data && options}
        value={successor}
        onChange={setSuccessor}
        sending={sending}
      />
      {successor !== null && <Changes from={id} to={successor} />}
    </SubmitDialog>
  );
};
