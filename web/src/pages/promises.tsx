import { bulkPromises } from '@waystation/contract/shell/bulk.ts';
import { listAudit } from '@waystation/contract/shell/audit.ts';
import {
  getPromise,
  listPromises,
  promiseUsage,
  setPromiseStatus,
} from '@waystation/contract/parcels/promise.ts';
import type { DeliveryPromise } from '@waystation/contract/parcels/promise.ts';
import { notify } from '#ui/overlay/notify.tsx';
import { refresh } from '#base/query.ts';
import { useTexts } from '#base/texts.ts';
import { LoadedForm } from '#resource/form/loaded-form.tsx';
import { useKnownWords } from '#resource/record/known-words.ts';
import { BulkSwitch } from '#resource/list/bulk-actions.tsx';
import type { ListFilter } from '#resource/list/list-filters.ts';
import { ListPage } from '#resource/list/list-page.tsx';
import { useList } from '#resource/list/use-list.ts';
import { useStatusSwitch } from '#resource/record/use-status-switch.tsx';
import { PromiseCard, usePromiseColumns } from './promises/columns.tsx';
import { PromiseDrawer } from './promises/promise-drawer.tsx';
import { PromiseForm } from './promises/promise-form.tsx';

const shows = [listPromises, getPromise, listAudit] as const;

/**
 * The page of delivery times (requirements §2, PromiseTable). It lists a carrier's products with
 * their templates and measured durations.
 */
export const Page = () => {
  const { t } = useTexts();
  const { carrierFilter, statuses, provider, status } = useKnownWords();
  const filters: ListFilter[] = [
    { key: 'provider', kind: 'choice', label: provider.label, options: carrierFilter },
    { key: 'status', kind: 'choice', label: status.label, options: statuses },
  ];
  const list = useList({
    name: 'promises',
    endpoint: listPromises,
    filters,
    sort: 'sort',
    exportable: true,
    refreshes: shows,
  });
  const switching = useStatusSwitch({
    endpoint: setPromiseStatus,
    usage: promiseUsage,
    refreshes: shows,
  });
  const edit = (row: DeliveryPromise): void => list.openForm(row.id);
  const columns = usePromiseColumns(
    [{ key: 'edit', label: t('lists.edit'), run: edit }],
    switching,
    list.open,
  );
  const saved = (row: DeliveryPromise, again: boolean): void => {
    notify.success(
      t(list.form === 'new' ? 'lists.added' : 'lists.saved', { name: row.promise_name }),
    );
    void refresh(...shows);
    if (!again) list.closeForm();
  };
  return (
    <ListPage
      list={list}
      title={t('menu.promises')}
      searches={t('promises.searches')}
      columns={columns}
      nameOf={({ promise_name }) => promise_name}
      card={PromiseCard}
      create={{ label: t('promises.new'), run: () => list.openForm('new') }}
      keys={[{ keys: 'e', label: t('lists.edit'), run: edit }]}
      bulk={<BulkSwitch list={list} endpoint={bulkPromises} />}
      hint={t('promises.hint')}
    >
      <PromiseDrawer list={list} switching={switching} />
      {list.form === 'new' && <PromiseForm row={null} onSaved={saved} onClose={list.closeForm} />}
      {typeof list.form === 'number' && (
        <LoadedForm
          key={list.form}
          endpoint={getPromise}
          id={list.form}
          title={t('lists.edit')}
          onClose={list.closeForm}
        >
          {(row) => <PromiseForm row={row} onSaved={saved} onClose={list.closeForm} />}
        </LoadedForm>
      )}
    </ListPage>
  );
};
