import type { ReactNode } from 'react';
import type { Endpoint, InputOf, OutputOf } from '@waystation/contract/endpoint.ts';
import { call } from '#base/call.ts';
import { useFormat } from '#base/format.ts';
import { confirmed } from '#ui/overlay/notify.tsx';
import { useTexts } from '#base/texts.ts';
import { useActions } from '#shell/submit/use-actions.ts';
import { Button } from '#ui/button.tsx';
import { filterInput } from './list-filters.ts';
import type { List } from './use-list.ts';

export interface BulkAction {
  /** As the server calls it. */
  action: string;
  label: string;
  danger?: boolean;
}

interface Started {
  job_id: number;
  total: number;
}

/**
 * What can be done with many rows at once, as buttons for the selection: the chosen ones, or all that the filters find.
 * It runs in the background; the list's job drawer shows what became of each row.
 */
export const BulkActions = <R extends { id: number }>({ list, endpoint, actions }: { list: List<R>; endpoint: Endpoint; actions: readonly BulkAction[] }) => {
  const { t } = useTexts();
  const format = useFormat();
  const { busy, run } = useActions<string>();
  const start = async ({ action, label, danger }: BulkAction): Promise<void> => {
    const count = list.everything ? (list.counts.total ?? 0) : list.chosen.length;
    const question = { title: t('lists.bulk_title', { action: label, count: format.number(count) }), content: t('lists.bulk_hint'), ok: label };
    if (!(await confirmed({ ...question, danger: danger ?? false }))) return;
    await run(action, async () => {
      const which = list.everything ? { filter: filterInput(list.place), expected: count } : { ids: list.chosen.map(({ id }) => id) };
      const { job_id } = (await call(endpoint, { action, ...which } as InputOf<Endpoint>)) as OutputOf<Endpoint> & Started;
      list.clearSelection();
      list.openJob(job_id);
    });
  };
  return actions.map((each) => (
    <Button key={each.action} danger={each.danger ?? false} loading={busy.has(each.action)} disabled={busy.size > 0} onClick={() => void start(each)}>
      {each.label}
    </Button>
  ));
};

/** Enable and disable, which every resource with a switch has. */
export const BulkSwitch = <R extends { id: number }>({ list, endpoint }: { list: List<R>; endpoint: Endpoint }): ReactNode => {
  const { t } = useTexts();
  return (
    <BulkActions
      list={list}
      endpoint={endpoint}
      actions={[
        { action: 'enable', label: t('lists.enable') },
        { action: 'disable', label: t('lists.disable'), danger: true },
      ]}
    />
  );
};
