import { lazy, useState } from 'react';
import type { ReactNode } from 'react';
import { setStationStatus } from '@waystation/contract/station.ts';
import type { Station } from '@waystation/contract/station.ts';
import type { Endpoint } from '@waystation/contract/endpoint.ts';
import { errorWords } from '#base/api-error.ts';
import { call } from '#base/call.ts';
import { notify } from '#ui/overlay/notify.tsx';
import { refresh } from '#base/query.ts';
import { useTexts } from '#base/texts.ts';
import type { StatusSwitching } from '#resource/record/use-status-switch.tsx';
import { Button } from '#ui/button.tsx';
import type { StatusChange, Choice } from './status-dialog.tsx';

const StatusDialog = lazy(async () => ({ default: (await import('./status-dialog.tsx')).StatusDialog }));

const undoFor = 8;

/**
 * Enabling and disabling a station: what that means is said first, and the stations below it are asked about. Undone for 8 s, but only where nothing
 * below it was switched along: what those were before is not known here.
 */
export const useStationStatus = (rows: readonly Station[] | undefined, refreshes: readonly Endpoint[]): { switching: StatusSwitching; dialog: ReactNode } => {
  const { t, language } = useTexts();
  const [busy, setBusy] = useState<ReadonlySet<number>>(new Set());
  const [change, setChange] = useState<StatusChange | null>(null);
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
  const undo = async ({ id, name, to }: StatusChange, key: string): Promise<void> => {
    notify.drop(key);
    try {
      await store(id, to === 1 ? 0 : 1, {});
      notify.success(t('lists.undone', { name }));
    } catch (error) {
      notify.failure(error);
    }
  };
  const done = (what: StatusChange, choice: Choice): void => {
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
  const act = async (what: StatusChange, choice: Choice): Promise<void> => {
    setFailure(null);
    try {
      await store(what.id, what.to, { with_children: choice.with_children, ...(choice.reason !== '' && { reason: choice.reason }) });
      setChange(null);
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
        setChange({ id: row.id, name, to: row.status === 1 ? 0 : 1, children: rows?.find(({ id }) => id === row.id)?.children ?? 0 });
      },
    },
    dialog: change && (
      <StatusDialog
        key={change.id}
        change={change}
        busy={busy.size > 0}
        failure={failure}
        onDo={(choice) => void act(change, choice)}
        onClose={() => setChange(null)}
      />
    ),
  };
};
