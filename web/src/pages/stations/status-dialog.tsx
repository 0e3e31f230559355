import { useState } from 'react';
import { setStationStatus, stationUsage } from '@waystation/contract/network/station.ts';
import type { Endpoint } from '@waystation/contract/base/endpoint.ts';
import { usages } from '@waystation/contract/base/usage.ts';
import { call } from '#base/call.ts';
import { useCall } from '#base/query.ts';
import { useTexts } from '#base/texts.ts';
import { useSubmit } from '#shell/submit/use-submit.ts';
import { Checkbox } from '#ui/fields/checkbox.tsx';
import { SubmitDialog } from '#resource/form/submit-dialog.tsx';
import { Notice } from '#ui/notice.tsx';
import { TextField } from '#ui/fields/text-field.tsx';
import styles from './stations.module.css';
import { noteLength } from '@waystation/contract/base/limits.ts';
import { wordOf } from '@waystation/contract/base/word-of.ts';

export interface StatusChange {
  id: number;
  name: string;
  to: 0 | 1;
  children: number;
}

/**
 * The dialog that explains the effect of disabling or enabling a station. It lists everything that
 * depends on the station. It asks whether the stations below it change too.
 */
export const StatusDialog = ({
  change,
  refreshes,
  onDone,
  onClose,
}: {
  change: StatusChange;
  /** The endpoints to read again after the station's status has changed. */
  refreshes: readonly Endpoint[];
  /** Called with true if the stations below the station were changed too. */
  onDone: (withChildren: boolean) => void;
  onClose: () => void;
}) => {
  const { t, language } = useTexts();
  const [below, setBelow] = useState(false);
  const [reason, setReason] = useState('');
  const { data } = useCall(stationUsage, change.to === 0 ? { id: change.id } : null, {
    quiet: true,
    staleTime: 0,
  });
  const off = change.to === 0;
  const sending = useSubmit({
    send: async () => {
      const trimmed = reason.trim();
      await call(setStationStatus, {
        id: change.id,
        status: change.to,
        with_children: below ? 1 : 0,
        ...(trimmed !== '' && { reason: trimmed }),
      });
      return null;
    },
    refreshes,
    onDone: () => onDone(below),
  });
  const uses = data?.items
    .map(({ what, count }) =>
      t('lists.used_count', { what: wordOf(usages, what, language), count }),
    )
    .join(' · ');
  return (
    <SubmitDialog
      title={t(off ? 'stations.disable_title' : 'stations.enable_title', { name: change.name })}
      ok={t(off ? 'lists.disable' : 'lists.enable')}
      danger={off}
      sending={sending}
      onClose={onClose}
    >
      <Notice tone={off ? 'warn' : 'info'}>
        {t(off ? 'stations.disable_effect' : 'stations.enable_effect')}
        {uses && <p>{t('lists.used_by', { uses })}</p>}
      </Notice>
      {change.children > 0 && (
        <Checkbox checked={below} onChange={setBelow} className={styles['check']}>
          {t(off ? 'stations.with_children' : 'stations.with_children_on')}
        </Checkbox>
      )}
      <TextField
        label={t('stations.switch_reason')}
        name="reason"
        lines={2}
        max={noteLength}
        value={reason}
        onChange={setReason}
        disabled={sending.busy}
      />
    </SubmitDialog>
  );
};
