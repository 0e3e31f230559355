import { OrderedListOutlined, UploadOutlined } from '@ant-design/icons-svg';
import { bulkCargos } from '@waystation/contract/shell/bulk.ts';
import {
  cargoUsage,
  getCargo,
  listCargos,
  setCargoStatus,
} from '@waystation/contract/parcels/cargo.ts';
import type { Cargo } from '@waystation/contract/parcels/cargo.ts';
import { listAudit } from '@waystation/contract/shell/audit.ts';
import { notify } from '#ui/overlay/notify.tsx';
import { refresh } from '#base/query.ts';
import { useTexts } from '#base/texts.ts';
import { LoadedForm } from '#resource/form/loaded-form.tsx';
import { BulkSwitch } from '#resource/list/bulk-actions.tsx';
import type { ListFilter } from '#resource/list/list-filters.ts';
import { ListPage } from '#resource/list/list-page.tsx';
import { useList } from '#resource/list/use-list.ts';
import { useStatusSwitch } from '#resource/record/use-status-switch.tsx';
import { Button } from '#ui/button.tsx';
import { Icon } from '#ui/icon.tsx';
import { CargoDrawer } from './cargos/cargo-drawer.tsx';
import { CargoForm } from './cargos/cargo-form.tsx';
import { CargoCard, useCargoColumns } from './cargos/columns.tsx';
import { ImportDialog } from './cargos/import-dialog.tsx';
import { OrderDrawer } from './cargos/order-drawer.tsx';
import { useCargoOptions, useCargoWords } from './cargos/words.ts';

const shows = [listCargos, getCargo, listAudit] as const;

const useFilters = (): ListFilter[] => {
  const { t } = useTexts();
  const { types, carrierFilter } = useCargoOptions();
  const words = useCargoWords();
  const flags = (on: string, off: string) => [
    { value: '1', label: on },
    { value: '0', label: off },
  ];
  return [
    {
      key: 'type',
      kind: 'choice',
      label: words.type.label,
      options: types.map(({ value, label }) => ({ value: String(value), label })),
    },
    { key: 'provider', kind: 'choice', label: words.provider.label, options: carrierFilter },
    {
      key: 'status',
      kind: 'choice',
      label: words.status.label,
      options: flags(t('lists.enabled'), t('lists.disabled')),
    },
    {
      key: 'banned',
      kind: 'choice',
      label: words.banned.label,
      options: flags(t('cargos.banned_tag'), t('cargos.allowed')),
      more: true,
    },
  ];
};

export const Page = () => {
  const { t } = useTexts();
  const list = useList({
    name: 'cargos',
    endpoint: listCargos,
    filters: useFilters(),
    sort: '-priority',
    exportable: true,
    refreshes: shows,
  });
  const switching = useStatusSwitch({
    endpoint: setCargoStatus,
    usage: cargoUsage,
    refreshes: shows,
  });
  const edit = (row: Cargo): void => list.openForm(row.id);
  const columns = useCargoColumns(
    [{ key: 'edit', label: t('lists.edit'), run: edit }],
    switching,
    list.open,
  );
  const saved = (row: Cargo, again: boolean): void => {
    notify.success(t(list.form === 'new' ? 'lists.added' : 'lists.saved', { name: row.name }));
    void refresh(...shows);
    if (!again) list.closeForm();
  };
  const arranged = (): void => {
    void refresh(...shows);
    list.setSearch({ arrange: undefined });
  };
  const imported = (): void => {
    void refresh(...shows);
    list.setSearch({ import: undefined });
  };
  return (
    <ListPage
      list={list}
      title={t('menu.cargos')}
      searches={t('cargos.searches')}
      columns={columns}
      nameOf={({ name }) => name}
      card={CargoCard}
      create={{ label: t('cargos.new'), run: () => list.openForm('new') }}
      keys={[{ keys: 'e', label: t('lists.edit'), run: edit }]}
      hint={t('cargos.hint')}
      slots={{
        tools: (
          <>
            <Button
              icon={<Icon of={OrderedListOutlined} />}
              onClick={() => list.setSearch({ arrange: 1 })}
            >
              {t('cargos.order')}
            </Button>
            <Button
              icon={<Icon of={UploadOutlined} />}
              onClick={() => list.setSearch({ import: 'file' })}
            >
              {t('cargos.import')}
            </Button>
          </>
        ),
        phoneTools: (
          <Button
            icon={<Icon of={UploadOutlined} />}
            onClick={() => list.setSearch({ import: 'file' })}
          >
            {t('cargos.import')}
          </Button>
        ),
        begin: (
          <Button onClick={() => list.setSearch({ import: 'common' })}>{t('cargos.common')}</Button>
        ),
      }}
      bulk={<BulkSwitch list={list} endpoint={bulkCargos} />}
    >
      {list.search['arrange'] === '1' && (
        <OrderDrawer onSaved={arranged} onClose={() => list.setSearch({ arrange: undefined })} />
      )}
      {list.search['import'] !== undefined && (
        <ImportDialog
          common={list.search['import'] === 'common'}
          onDone={imported}
          onClose={() => list.setSearch({ import: undefined })}
        />
      )}
      <CargoDrawer list={list} switching={switching} />
      {list.form === 'new' && <CargoForm row={null} onSaved={saved} onClose={list.closeForm} />}
      {typeof list.form === 'number' && (
        <LoadedForm
          key={list.form}
          endpoint={getCargo}
          id={list.form}
          title={t('lists.edit')}
          onClose={list.closeForm}
        >
          {(row) => <CargoForm row={row} onSaved={saved} onClose={list.closeForm} />}
        </LoadedForm>
      )}
    </ListPage>
  );
};
