import { Button, Checkbox } from 'antd';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { setStationStatus, stationUsage } from '@waystation/contract/station.ts';
import type { Station } from '@waystation/contract/station.ts';
import { usages } from '@waystation/contract/usage.ts';
import type { Endpoint } from '@waystation/contract/endpoint.ts';
import { errorWords } from '#app/api-error.ts';
import { call } from '#app/call.ts';
import { notify } from '#app/notify.tsx';
import { refresh, useCall } from '#app/query.ts';
import { useTexts } from '#app/texts.ts';
import type { StatusSwitching } from '#parts/record/use-status-switch.tsx';
import { FormDialog } from '#ui/form-dialog.tsx';
import { Notice } from '#ui/notice.tsx';
import { TextField } from '#ui/text-field.tsx';
import styles from './stations.module.css';

interface Asked {
  id: number;
  name: string;
  to: 0 | 1;
  children: number;
}

interface Choice {
  with_children: 0 | 1;
  reason: string;
}

const Dialog = ({
  asked,
  busy,
  failure,
  onDo,
  onClose,
}: {
  asked: Asked;
  busy: boolean;
  failure: string | null;
  onDo: (choice: Choice) => void;
  onClose: () => void;
}) => {
  const { t, language } = useTexts();
  const [below, setBelow] = useState(false);
  const [reason, setReason] = useState('');
  const { data } = useCall(stationUsage, asked.to === 0 ? { id: asked.id } : null, { quiet: true, staleTime: 0 });
  const off = asked.to === 0;
  const uses = data?.items.map(({ what, count }) => t('lists.used_count', { what: usages[what][language], count })).join(' · ');
  return (
    <FormDialog
      open
      title={t(off ? 'stations.disable_title' : 'stations.enable_title', { name: asked.name })}
      ok={t(off ? 'lists.disable' : 'lists.enable')}
      danger={off}
      busy={busy}
      failure={failure}
      onSubmit={() => onDo({ with_children: below ? 1 : 0, reason: reason.trim() })}
      onClose={onClose}
    >
      <Notice tone={off ? 'warn' : 'info'}>
        {t(off ? 'stations.disable_effect' : 'stations.enable_effect')}
        {uses && <p>{t('lists.used_by', { uses })}</p>}
      </Notice>
      {asked.children > 0 && (
        <Checkbox checked={below} onChange={(event) => setBelow(event.target.checked)} className={styles['check']!}>
          {t(off ? 'stations.with_children' : 'stations.with_children_on')}
        </Checkbox>
      )}
      <TextField label={t('stations.switch_reason')} name="reason" lines={2} max={200} value={reason} onChange={setReason} disabled={busy} />
    </FormDialog>
  );
};

const undoFor = 8;

/**
 * Enabling and disabling a station: what that means is said first, and those below it are asked about. Undone for 8 s, but only where nothing
 * below it was switched along: what those were before is not known here.
 */
export const useStationStatus = (rows: readonly Station[] | undefined, refreshes: readonly Endpoint[]): { switching: StatusSwitching; dialog: ReactNode } => {
  const { t, language } = useTexts();
  const [busy, setBusy] = useState<ReadonlySet<number>>(new Set());
  const [asked, setAsked] = useState<Asked | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const store = async (id: number, status: 0 | 1, choice: Partial<Choice>): Promise<void> => {
    setBusy(new Set([id]));
    try {
      await call(setStationStatus, { id, status, ...choice });
      await refresh(...refreshes);
    } finally {
      setBusy(new Set());
    }
  };
  const undo = async ({ id, name, to }: Asked, key: string): Promise<void> => {
    notify.drop(key);
    try {
      await store(id, to === 1 ? 0 : 1, {});
      notify.success(t('lists.undone', { name }));
    } catch (error) {
      notify.failure(error);
    }
  };
  const done = (what: Asked, choice: Choice): void => {
    const key = `station-status-${what.id}`;
    const title = t(what.to === 1 ? 'lists.now_enabled' : 'lists.now_disabled', { name: what.name });
    if (choice.with_children === 1) return void notify.success(title);
    notify.lasting({
      key,
      title,
      duration: undoFor,
      actions: (
        <Button size="small" onClick={() => void undo(what, key)}>
          {t('lists.undo')}
        </Button>
      ),
    });
  };
  const act = async (what: Asked, choice: Choice): Promise<void> => {
    setFailure(null);
    try {
      await store(what.id, what.to, { with_children: choice.with_children, ...(choice.reason !== '' && { reason: choice.reason }) });
      setAsked(null);
      done(what, choice);
    } catch (error) {
      setFailure(errorWords(error, language));
    }
  };
  return {
    switching: {
      busy,
      toggle: (row, name) => {
        setFailure(null);
        setAsked({ id: row.id, name, to: row.status === 1 ? 0 : 1, children: rows?.find(({ id }) => id === row.id)?.children ?? 0 });
      },
    },
    dialog: asked && (
      <Dialog key={asked.id} asked={asked} busy={busy.size > 0} failure={failure} onDo={(choice) => void act(asked, choice)} onClose={() => setAsked(null)} />
    ),
  };
};
