import { boundedContactsOf } from '@waystation/contract/base/bounded-lists.ts';
import { bulkContacts } from '@waystation/contract/shell/bulk.ts';
import { listAudit } from '@waystation/contract/shell/audit.ts';
import {
  countContacts,
  getContact,
  listContacts,
  setContactStatus,
} from '@waystation/contract/people/contact.ts';
import type { Contact } from '@waystation/contract/people/contact.ts';
import { expressStations } from '@waystation/contract/parcels/express-calls.ts';
import { notify } from '#ui/overlay/notify.tsx';
import { refresh, useCall } from '#base/query.ts';
import { useUser } from '#shell/session/session.ts';
import { useTexts } from '#base/texts.ts';
import { LoadedForm } from '#resource/form/loaded-form.tsx';
import { useKnownWords } from '#resource/record/known-words.ts';
import { BulkSwitch } from '#resource/list/bulk-actions.tsx';
import type { ListFilter } from '#resource/list/list-filters.ts';
import { ListPage } from '#resource/list/list-page.tsx';
import { useList } from '#resource/list/use-list.ts';
import { useStatusSwitch } from '#resource/record/use-status-switch.tsx';
import { StationPicker, useSeveralStations } from '#resource/stations/station-picker.tsx';
import { ContactCard, useContactColumns } from './contacts/columns.tsx';
import { ContactDrawer } from './contacts/contact-drawer.tsx';
import { ContactForm } from './contacts/contact-form.tsx';
import { isRepeatable, repeatOrder } from './contacts/repeat-order.ts';
import { useContactWords, useKindOptions } from './contacts/words.ts';

const shows = [listContacts, getContact, listAudit] as const;

const useFilters = (): ListFilter[] => {
  const { t } = useTexts();
  const several = useSeveralStations();
  const { data } = useCall(expressStations, several ? {} : null, {
    quiet: true,
    staleTime: 60_000,
  });
  const stationName = (id: string): string =>
    data?.items.find((one) => String(one.id) === id)?.name ?? (id === '' ? '' : `#${id}`);
  const words = useContactWords();
  const { statuses } = useKnownWords();
  const kinds = useKindOptions();
  const station: ListFilter = {
    key: 'station_id',
    kind: 'own',
    label: words.station_id.label,
    words: stationName,
    control: (value, change, bare) => (
      <StationPicker
        label={words.station_id.label}
        bare={bare}
        value={value === '' ? null : Number(value)}
        shown={stationName(value)}
        onChange={(id) => change(id === null ? undefined : String(id))}
        clearable
      />
    ),
  };
  return [
    { key: 'kind', kind: 'choice', label: words.kind.label, options: kinds },
    ...(several ? [station] : []),
    { key: 'status', kind: 'choice', label: words.status.label, options: statuses },
    { key: 'province', kind: 'text', label: t('contacts.province'), more: true },
    { key: 'updated', kind: 'days', label: t('lists.updated'), more: true },
  ];
};

/**
 * The page of the address books: the senders and recipients of each station, suggested while an
 * order is typed.
 */
export const Page = () => {
  const { t } = useTexts();
  const bounded = boundedContactsOf(useUser().role);
  const list = useList({
    name: 'contacts',
    endpoint: listContacts,
    counts: countContacts,
    filters: useFilters(),
    sort: '-updated_at',
    ...(bounded && { bounded }),
    exportable: true,
    refreshes: shows,
  });
  const switching = useStatusSwitch({ endpoint: setContactStatus, refreshes: shows });
  const edit = (row: Contact): void => list.openForm(row.id);
  const columns = useContactColumns(
    [
      { key: 'edit', label: t('lists.edit'), run: edit },
      {
        key: 'repeat',
        label: t('contacts.repeat'),
        visible: isRepeatable,
        run: (row: Contact) => void repeatOrder(row),
      },
    ],
    switching,
    list.open,
  );
  const saved = (row: Contact, again: boolean): void => {
    notify.success(t(list.form === 'new' ? 'lists.added' : 'lists.saved', { name: row.name }));
    void refresh(...shows);
    if (!again) list.closeForm();
  };
  return (
    <ListPage
      list={list}
      title={t('menu.contacts')}
      searches={t('contacts.searches')}
      columns={columns}
      nameOf={({ name }) => name}
      card={ContactCard}
      create={{ label: t('contacts.new'), run: () => list.openForm('new') }}
      keys={[{ keys: 'e', label: t('lists.edit'), run: edit }]}
      bulk={<BulkSwitch list={list} endpoint={bulkContacts} />}
      hint={t('contacts.hint')}
    >
      <ContactDrawer list={list} switching={switching} />
      {list.form === 'new' && <ContactForm row={null} onSaved={saved} onClose={list.closeForm} />}
      {typeof list.form === 'number' && (
        <LoadedForm
          key={list.form}
          endpoint={getContact}
          id={list.form}
          title={t('lists.edit')}
          onClose={list.closeForm}
        >
          {(row) => <ContactForm row={row} onSaved={saved} onClose={list.closeForm} />}
        </LoadedForm>
      )}
    </ListPage>
  );
};
