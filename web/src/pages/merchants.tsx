import { Suspense, lazy } from 'react';
import { bulkMerchants } from '@waystation/contract/shell/bulk.ts';
import {
  getMerchant,
  listMerchants,
  merchantUsage,
  setMerchantStatus,
} from '@waystation/contract/network/merchant.ts';
import type { Merchant } from '@waystation/contract/network/merchant.ts';
import { knownProviders, providers } from '@waystation/contract/network/provider.ts';
import { wordOf } from '@waystation/contract/base/word-of.ts';
import { call } from '#base/call.ts';
import { notify } from '#ui/overlay/notify.tsx';
import { refresh } from '#base/query.ts';
import { useTexts } from '#base/texts.ts';
import { LoadedForm } from '#resource/form/loaded-form.tsx';
import { BulkSwitch } from '#resource/list/bulk-actions.tsx';
import type { ListFilter } from '#resource/list/list-filters.ts';
import { ListPage } from '#resource/list/list-page.tsx';
import { useList } from '#resource/list/use-list.ts';
import { useReplacing } from '#resource/record/use-replacing.ts';
import { useStatusSwitch } from '#resource/record/use-status-switch.tsx';
import { MerchantCard, useMerchantColumns } from './merchants/columns.tsx';
import type { AccountUses } from './merchants/disable-dialog.tsx';
import { merchantViews, useMerchantActions } from './merchants/use-merchant-actions.tsx';
import { useMerchantWords } from './merchants/words.ts';

// The drawer and the form are loaded later than the list.
const MerchantDrawer = lazy(async () => ({
  default: (await import('./merchants/merchant-drawer.tsx')).MerchantDrawer,
}));
const DisableDialog = lazy(async () => ({
  default: (await import('./merchants/disable-dialog.tsx')).DisableDialog,
}));
const MerchantForm = lazy(async () => ({
  default: (await import('./merchants/merchant-form.tsx')).MerchantForm,
}));

const useFilters = (): ListFilter[] => {
  const { t, language } = useTexts();
  const words = useMerchantWords();
  return [
    {
      key: 'provider',
      kind: 'choice',
      label: words.provider.label,
      options: knownProviders.map((code) => ({
        value: code,
        label: wordOf(providers, code, language),
      })),
    },
    {
      key: 'status',
      kind: 'choice',
      label: words.status.label,
      options: [
        { value: '1', label: t('lists.enabled') },
        { value: '0', label: t('lists.disabled') },
      ],
    },
  ];
};

/** The stations and parcels that use the account; null if nothing uses it. */
const usesOf = async (id: number): Promise<AccountUses | null> => {
  const [account, { items }] = await Promise.all([
    call(getMerchant, { id }),
    call(merchantUsage, { id }),
  ]);
  return account.is_default === 1 || items.some(({ what }) => what === 'stations')
    ? { account, items }
    : null;
};

export const Page = () => {
  const { t } = useTexts();
  const list = useList({
    name: 'merchants',
    endpoint: listMerchants,
    filters: useFilters(),
    sort: '-created_at',
    exportable: true,
    refreshes: merchantViews,
  });
  const { switching, replaced, close } = useReplacing(
    useStatusSwitch({
      endpoint: setMerchantStatus,
      usage: merchantUsage,
      refreshes: merchantViews,
    }),
    usesOf,
  );
  const edit = (row: Merchant): void => list.openForm(row.id);
  const actions = useMerchantActions(edit);
  const columns = useMerchantColumns(actions, switching, list.open);
  const saved = (row: Merchant, again: boolean): void => {
    notify.success(t(list.form === 'new' ? 'lists.added' : 'lists.saved', { name: row.name }));
    void refresh(...merchantViews);
    if (!again) list.closeForm();
  };
  return (
    <ListPage
      list={list}
      title={t('menu.merchants')}
      searches={t('merchants.searches')}
      columns={columns}
      nameOf={({ name }) => name}
      card={MerchantCard}
      create={{ label: t('merchants.new'), run: () => list.openForm('new') }}
      keys={[{ keys: 'e', label: t('lists.edit'), run: edit }]}
      bulk={<BulkSwitch list={list} endpoint={bulkMerchants} />}
      hint={t('merchants.hint')}
    >
      <Suspense fallback={null}>
        <MerchantDrawer list={list} actions={actions} switching={switching} />
        {replaced && <DisableDialog key={replaced.id} replaced={replaced} onClose={close} />}
        {list.form === 'new' && (
          <MerchantForm row={null} onSaved={saved} onClose={list.closeForm} />
        )}
        {typeof list.form === 'number' && (
          <LoadedForm
            key={list.form}
            endpoint={getMerchant}
            id={list.form}
            title={t('lists.edit')}
            onClose={list.closeForm}
          >
            {(row) => <MerchantForm row={row} onSaved={saved} onClose={list.closeForm} />}
          </LoadedForm>
        )}
      </Suspense>
    </ListPage>
  );
};
