import { contactKinds } from '@waystation/contract/contact.ts';
import type { ContactKind } from '@waystation/contract/contact.ts';
import { useTexts } from '#base/texts.ts';
import { useKnownWords } from '#resource/record/known-words.ts';
import type { RecordWords } from '#resource/record/record-words.ts';

export type ContactField = 'station_id' | 'kind' | 'name' | 'phone' | 'province' | 'city' | 'county' | 'address' | 'status';

/** How the fields of an address book entry are called, and what their values say. */
export const useContactWords = (): RecordWords<ContactField> => {
  const { t, language } = useTexts();
  const { status } = useKnownWords();
  return {
    station_id: { label: t('common.station') },
    kind: { label: t('contacts.kind'), show: (value) => contactKinds[value as ContactKind]?.[language] ?? String(value) },
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
  return Object.entries(contactKinds).map(([value, words]) => ({ value: value as ContactKind, label: words[language] }));
};
