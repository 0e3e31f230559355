import { lazy, useState } from 'react';
import type { ReactNode } from 'react';
import { setStationStatus } from '@waystation/contract/network/station.ts';
import type { Station } from '@waystation/contract/network/station.ts';
import type { Endpoint } from '@waystation/contract/base/endpoint.ts';
import { call } from '#base/call.ts';
import { notify } from '#ui/overlay/notify.tsx';
import { useTexts } from '#base/texts.ts';
import { useActions } from '#shell/submit/use-actions.ts';
import type { StatusSwitching } from '#resource/record/use-status-switch.tsx';
import { Button } from '#ui/button.tsx';
import type { StatusChange } from './status-dialog.tsx';

const StatusDialog = lazy(async () => ({
  default: (await import('./status-dialog.tsx')).StatusDialog,
}));

const undoFor = 8;

/**
 * Enables or disables a station. A dialog first explains the effect and asks about the stations
 * below it. The change can be undone for 8 s. It cannot be undone if stations below it were changed
 * too, because their earlier status is not known here.
 */
export const useStationStatus = (
  rows: readonly Station[] | undefined,
  refreshes: readonly Endpoint[],
): { switching: StatusSwitching; dialog: ReactNode } => {
  const { t } = useTexts();
  const { busy, run } = useActions<number>(refreshes);
  const [change, setChange] = useState<StatusChange | null>(null);
  const undo = async ({ id, name, to }: StatusChange, key: string): Promise<void> => {
    notify.drop(key);
    const isUndone = await run(
      id,
      async () => void (await call(setStationStatus, { id, status: to === 1 ? 0 : 1 })),
    );
    if (isUndone) notify.success(t('lists.undone', { name }));
  };
  const done = (what: StatusChange, withChildren: boolean): void => {
    setChange(null);
    const key = `station-status-${what.id}`;
    const title = t(what.to === 1 ? 'lists.now_enabled' : 'lists.now_disabled', {
      name: what.name,
    });
    if (withChildren) return void notify.success(title);
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
  return {
    switching: {
      busy,
      toggle: (row, name) => {
        setChange({
          id: row.id,
          name,
          to: row.status === 1 ? 0 : 1,
          children: rows?.find(({ id }) => id === row.id)?.children ?? 0,
        });
      },
    },
    dialog: change && (
      <StatusDialog
        key={change.id}
        change={change}
        refreshes={refreshes}
        onDone={(withChildren) => done(change, withChildren)}
        onClose={() => setChange(null)}
      />
    ),
  };
};
