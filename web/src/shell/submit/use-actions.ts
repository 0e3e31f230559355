import { useRef, useState } from 'react';
import type { Endpoint } from '@waystation/contract/base/endpoint.ts';
import { refresh } from '#base/query.ts';
import { notify } from '#ui/overlay/notify.tsx';

export interface Actions<K> {
  /** The keys of the actions that are running. */
  busy: ReadonlySet<K>;
  /**
   * Runs an action unless it is already running. Resolves with true if it succeeded. If it failed,
   * the error is passed to `onFailure` or shown as a notice.
   */
  run: (
    key: K,
    action: () => Promise<void>,
    onFailure?: (error: unknown) => void,
  ) => Promise<boolean>;
}

/**
 * Runs the requests of buttons outside forms. Each key runs only once at a time. After each run,
 * even a failed one, the lists in `refreshes` are read again before the action stops being busy.
 */
export const useActions = <K extends string | number>(
  refreshes: readonly Endpoint[] = [],
): Actions<K> => {
  const [busy, setBusy] = useState<ReadonlySet<K>>(new Set());
  // The running actions are also kept in a ref, because a second press may come before the render
  // that updates the state.
  const running = useRef(new Set<K>());
  const mark = (): void => setBusy(new Set(running.current));
  const run: Actions<K>['run'] = async (key, action, onFailure = notify.failure) => {
    if (running.current.has(key)) return false;
    running.current.add(key);
    mark();
    try {
      await action();
      return true;
    } catch (error) {
      onFailure(error);
      return false;
    } finally {
      await refresh(...refreshes);
      running.current.delete(key);
      mark();
    }
  };
  return { busy, run };
};
