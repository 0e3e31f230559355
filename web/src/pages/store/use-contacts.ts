import { useState } from 'react';
import { createContact, listContacts, revealContact } from '@waystation/contract/people/contact.ts';
import type { Contact, ContactKind } from '@waystation/contract/people/contact.ts';
import { call } from '#base/call.ts';
import { notify } from '#ui/overlay/notify.tsx';
import { refresh, useCall } from '#base/query.ts';
import { useTexts } from '#base/texts.ts';
import { useSteady } from '#base/use-steady.ts';
import { useActions } from '#shell/submit/use-actions.ts';
import { useSettled } from '#resource/stations/station-picker.tsx';
import type { Option } from '#ui/fields/option-list.tsx';
import type { Party } from '#parcels/orders/form.ts';
import { contactQuery, isSamePerson, partyFrom } from './contacts.ts';

export interface Book {
  suggestions: readonly Option[];
  /** Searches the address book for the text typed into a name or phone; '' searches nothing. */
  look: (text: string) => void;
  /**
   * Fills in the suggestion with this value. If its phone is masked, the phone is revealed, and the
   * server records that in the audit log.
   */
  pick: (value: string) => void;
  save: () => void;
  busy: boolean;
}

interface BookOptions {
  kind: ContactKind;
  party: Party;
  /** The station whose address book is used; null if it is the user's own station. */
  station_id: number | null;
  /** True if no station is chosen. There is no address book to search then. */
  closed: boolean;
  /**
   * Called with a function that is applied to the person in the form at the time of the response.
   */
  onParty: (next: (now: Party) => Party) => void;
}

const none: readonly never[] = [];

/** The part of the station's address book that belongs to the form's sender or receiver. */
export const useBook = ({ kind, party, station_id, closed, onParty }: BookOptions): Book => {
  const { t } = useTexts();
  const [text, setText] = useState('');
  const { busy, run } = useActions<'book'>();
  const q = contactQuery(useSettled(text, 200));
  const { data } = useCall(
    listContacts,
    closed || q === ''
      ? null
      : { kind, q, status: 1, page_size: 6, ...(station_id !== null && { station_id }) },
    {
      quiet: true,
      staleTime: 10_000,
    },
  );
  const found: readonly Contact[] = q === '' || text === '' ? none : (data?.items ?? none);
  return {
    suggestions: found.map(({ id, name, phone, city, county, address }) => ({
      value: String(id),
      label: `${name} ${phone}`,
      note: `${city}${county}${address}`,
    })),
    look: setText,
    pick: useSteady((value) => {
      setText('');
      const contact = found.find(({ id }) => String(id) === value);
      if (!contact) return;
      void run('book', async () => {
        const { phone } =
          contact.phones_shown === 1 ? contact : await call(revealContact, { id: contact.id });
        onParty(() => partyFrom({ ...contact, phone }));
      });
    }),
    save: () =>
      void run('book', async () => {
        const { name, phone, place, address } = party;
        const saved = await call(createContact, {
          kind,
          name,
          phone,
          ...place,
          address,
          ...(station_id !== null && { station_id }),
        });
        // If the user typed another person during the request, the form no longer contains the
        // person that was saved.
        onParty((now) => (isSamePerson(now, party) ? { ...now, contact_id: saved.id } : now));
        notify.success(t('store.book_saved', { name: saved.name }));
        await refresh(listContacts);
      }),
    busy: busy.size > 0,
  };
};
