import type { Endpoint, InputOf, OutputOf } from '@waystation/contract/base/endpoint.ts';
import { usages } from '@waystation/contract/base/usage.ts';
import type { Usage, usageOf } from '@waystation/contract/base/usage.ts';
import { wordOf } from '@waystation/contract/base/word-of.ts';
import { call } from '#base/call.ts';
import { confirmed, notify } from '#ui/overlay/notify.tsx';
import { useTexts } from '#base/texts.ts';
import { useActions } from '#shell/submit/use-actions.ts';
import { Button } from '#ui/button.tsx';
import { useRowTab } from '#ui/row-tab.ts';
import { Switch } from '#ui/switch.tsx';
import styles from './record.module.css';

interface Switched {
  id: number;
  status: number;
}

interface Spec {
  /** The endpoint `POST …/{id}/status`. */
  endpoint: Endpoint;
  /** The endpoint `GET …/{id}/usage`. Absent if nothing can depend on such a row. */
  usage?: ReturnType<typeof usageOf>;
  /** Endpoints whose data contain the row. */
  refreshes: readonly Endpoint[];
}

export interface StatusSwitching {
  /** The ids of the rows whose change is being saved. */
  busy: ReadonlySet<number>;
  /** Enables or disables a row. `name` is the name of the row in the notices. */
  toggle: (row: Switched, name: string) => void;
}

const undoFor = 8;

/**
 * Enables and disables rows. Before a row is disabled, the user sees what uses it. The change is
 * stored immediately, and the user can undo it for 8 s.
 */
export const useStatusSwitch = ({ endpoint, usage, refreshes }: Spec): StatusSwitching => {
  const { t, language } = useTexts();
  const { busy, run } = useActions<number>(refreshes);
  const store = (id: number, status: 0 | 1) =>
    run(id, async () => void (await call(endpoint, { id, status } as InputOf<Endpoint>)));
  const usesText = ({ items }: Usage): string =>
    items
      .map(({ what, count, more, names }) => {
        const used = t('lists.used_count', {
          what: wordOf(usages, what, language),
          count: more ? `${count}+` : count,
        });
        return names?.length ? `${used} (${names.join(', ')})` : used;
      })
      .join(' · ');
  const agreed = async (id: number, name: string): Promise<boolean> => {
    if (!usage) return true;
    const used = (await call(usage, { id })) as OutputOf<typeof usage>;
    if (used.items.length === 0) return true;
    return confirmed({
      title: t('lists.disable_title', { name }),
      content: t('lists.used_by', { uses: usesText(used) }),
      ok: t('lists.disable'),
      danger: true,
    });
  };
  const change = async (row: Switched, name: string): Promise<void> => {
    const to = row.status === 1 ? 0 : 1;
    try {
      if (to === 0 && !(await agreed(row.id, name))) return;
    } catch (error) {
      return notify.failure(error);
    }
    if (!(await store(row.id, to))) return;
    const key = `status-${endpoint.path}-${row.id}`;
    const undo = async (): Promise<void> => {
      notify.drop(key);
      if (await store(row.id, row.status === 1 ? 1 : 0))
        notify.success(t('lists.undone', { name }));
    };
    notify.lasting({
      key,
      title: t(to === 1 ? 'lists.now_enabled' : 'lists.now_disabled', { name }),
      duration: undoFor,
      actions: (
        <Button size="small" onClick={() => void undo()}>
          {t('lists.undo')}
        </Button>
      ),
    });
  };
  return {
    busy,
    toggle: (row, name) => {
      if (!busy.has(row.id)) void change(row, name);
    },
  };
};

/** The width in pixels of a switch, before its text. */
export const switchWidth = 34;

/**
 * The switch for a row's status. It has a text beside it, because the colour alone is not enough.
 */
export const StatusSwitch = ({
  row,
  name,
  switching,
}: {
  row: Switched;
  name: string;
  switching: StatusSwitching;
}) => {
  const { t } = useTexts();
  const tabIndex = useRowTab();
  return (
    <span className={styles['status']}>
      <Switch
        size="small"
        checked={row.status === 1}
        loading={switching.busy.has(row.id)}
        tabIndex={tabIndex}
        aria-label={t('lists.status_of', { name })}
        onClick={(event) => event.stopPropagation()}
        onChange={() => switching.toggle(row, name)}
      />
      {t(row.status === 1 ? 'lists.enabled' : 'lists.disabled')}
    </span>
  );
};
