import { contactKinds } from '@waystation/contract/people/contact.ts';
import type { ContactKind } from '@waystation/contract/people/contact.ts';
import { useTexts } from '#base/texts.ts';
import { useKnownWords } from '#resource/record/known-words.ts';
import type { RecordWords } from '#resource/record/record-words.ts';

export type ContactField =
  | 'station_id'
  | 'kind'
  | 'name'
  | 'phone'
  | 'province'
  | 'city'
  | 'county'
  | 'address'
  | 'status';

/** The labels of the fields of an address book entry, and the texts of their values. */
export const useContactWords = (): RecordWords<ContactField, 'kind' | 'status'> => {
  const { t, language } = useTexts();
  const { status } = useKnownWords();
  return {
    station_id: { label: t('common.station') },
    kind: {
      label: t('contacts.kind'),
      show: (value) => contactKinds[value as ContactKind]?.[language] ?? String(value),
    },
    name: { label: t('contacts.name') },
    phone: { label: t('contacts.phone') },
    province: { label: t('contacts.province') },
    city: { label: t('contacts.city') },
    county: { label: t('contacts.county') },
    address: { label: t('contacts.address') },
    status,
  };
};

export const useKindOptions = (): { value: ContactKind; label: string }[] => {
  const { language } = useTexts();
  return Object.entries(contactKinds).map(([value, words]) => ({
    value: value as ContactKind,
    label: words[language],
  }));
};
