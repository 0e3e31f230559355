import { useState } from 'react';
import { bulkVouchers } from '@waystation/contract/shell/bulk.ts';
import {
  getVoucher,
  listVouchers,
  setVoucherStatus,
  voucherUsage,
} from '@waystation/contract/money/voucher.ts';
import type { Voucher, VoucherRow } from '@waystation/contract/money/voucher.ts';
import { knownProviders, providers } from '@waystation/contract/network/provider.ts';
import { wordOf } from '@waystation/contract/base/word-of.ts';
import { notify } from '#ui/overlay/notify.tsx';
import { usePageSearch } from '#shell/tabs/page.ts';
import { refresh } from '#base/query.ts';
import { useTexts } from '#base/texts.ts';
import { LoadedForm } from '#resource/form/loaded-form.tsx';
import { BulkSwitch } from '#resource/list/bulk-actions.tsx';
import type { ListFilter } from '#resource/list/list-filters.ts';
import { ListPage } from '#resource/list/list-page.tsx';
import { useList } from '#resource/list/use-list.ts';
import { useStatusSwitch } from '#resource/record/use-status-switch.tsx';
import { idleComponent } from '#ui/lazy.tsx';
import type { RowAction } from '#ui/overlay/row-action.ts';
import { VoucherCard, useVoucherColumns } from './vouchers/columns.tsx';
import { CopyDialog } from './vouchers/copy-dialog.tsx';
import { voucherViews } from './vouchers/use-template.ts';
import { VoucherDrawer } from './vouchers/voucher-drawer.tsx';
import { VoucherForm, usePromiseOptions } from './vouchers/voucher-form.tsx';
import { useVoucherWords } from './vouchers/words.ts';

/** The editor with the price grid is loaded later, because the list does not need it. */
const VoucherEditor = idleComponent(
  async () => (await import('./vouchers/editor.tsx')).VoucherEditor,
);

const useFilters = (): ListFilter[] => {
  const { t, language } = useTexts();
  const words = useVoucherWords();
  const promises = usePromiseOptions('all');
  const flags = (on: string, off: string) => [
    { value: '1', label: on },
    { value: '0', label: off },
  ];
  return [
    { key: 'promise_id', kind: 'choice', label: words.promise_id.label, options: promises },
    {
      key: 'status',
      kind: 'choice',
      label: words.status.label,
      options: flags(t('lists.enabled'), t('lists.disabled')),
    },
    {
      key: 'published',
      kind: 'choice',
      label: t('vouchers.versions'),
      options: flags(t('vouchers.was_published'), t('vouchers.never_published')),
    },
    {
      key: 'changed',
      kind: 'choice',
      label: t('vouchers.draft'),
      options: flags(t('vouchers.changed'), t('vouchers.unchanged')),
      more: true,
    },
    {
      key: 'provider',
      kind: 'choice',
      label: words.provider.label,
      options: knownProviders.map((code) => ({
        value: code,
        label: wordOf(providers, code, language),
      })),
      more: true,
    },
  ];
};

const VoucherList = ({ onEdit }: { onEdit: (id: number) => void }) => {
  const { t } = useTexts();
  const list = useList({
    name: 'vouchers',
    endpoint: listVouchers,
    filters: useFilters(),
    sort: '-created_at',
    exportable: true,
    refreshes: voucherViews,
  });
  const switching = useStatusSwitch({
    endpoint: setVoucherStatus,
    usage: voucherUsage,
    refreshes: voucherViews,
  });
  const [copied, setCopied] = useState<VoucherRow | null>(null);
  const actions: RowAction<VoucherRow>[] = [
    { key: 'prices', label: t('vouchers.prices'), run: ({ id }) => onEdit(id) },
    { key: 'edit', label: t('lists.edit'), run: ({ id }) => list.openForm(id) },
    { key: 'copy', label: t('vouchers.copy'), run: setCopied },
  ];
  const columns = useVoucherColumns(actions, switching, list.open);
  const saved = (row: Voucher, again: boolean): void => {
    notify.success(t(list.form === 'new' ? 'lists.added' : 'lists.saved', { name: row.name }));
    void refresh(...voucherViews);
    if (again) return;
    // The editor opens for a new template, which has no prices yet.
    if (list.form === 'new') onEdit(row.id);
    else list.closeForm();
  };
  return (
    <ListPage
      list={list}
      title={t('menu.vouchers')}
      searches={t('vouchers.searches')}
      columns={columns}
      nameOf={({ name }) => name}
      card={VoucherCard}
      create={{ label: t('vouchers.new'), run: () => list.openForm('new') }}
      keys={[{ keys: 'e', label: t('vouchers.prices'), run: ({ id }) => onEdit(id) }]}
      bulk={<BulkSwitch list={list} endpoint={bulkVouchers} />}
      hint={t('vouchers.hint')}
    >
      <VoucherDrawer list={list} actions={actions} switching={switching} />
      {list.form === 'new' && <VoucherForm row={null} onSaved={saved} onClose={list.closeForm} />}
      {typeof list.form === 'number' && (
        <LoadedForm
          key={list.form}
          endpoint={getVoucher}
          id={list.form}
          title={t('lists.edit')}
          onClose={list.closeForm}
        >
          {(row) => <VoucherForm row={row} onSaved={saved} onClose={list.closeForm} />}
        </LoadedForm>
      )}
      {copied && (
        <CopyDialog
          voucher={copied}
          onClose={() => setCopied(null)}
          onCopied={(copy) => {
            setCopied(null);
            void refresh(...voucherViews);
            onEdit(copy.id);
          }}
        />
      )}
    </ListPage>
  );
};

/**
 * The page with the list of templates. With `?edit=`, it shows only the editor with the prices of
 * one template.
 */
export const Page = () => {
  const [search, setSearch] = usePageSearch();
  const edit = /^[1-9]\d{0,14}$/.test(search['edit'] ?? '') ? Number(search['edit']) : null;
  if (edit !== null)
    return <VoucherEditor key={edit} id={edit} onClose={() => setSearch({ edit: undefined })} />;
  return (
    <VoucherList
      onEdit={(id) => setSearch({ edit: id, id: undefined, form: undefined }, { push: true })}
    />
  );
};
