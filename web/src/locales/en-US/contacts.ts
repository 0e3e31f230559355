import type { EnglishTextsOf } from '#locales/texts.ts';
import type { contacts as zh } from '#locales/zh-CN/contacts.ts';

export const contacts = {
  new: 'New contact',
  repeat: 'Repeat',
  nothing_to_repeat: 'No parcel to “{name}” was found. Choose this recipient in the order form.',
  searches: 'Name, pinyin or last digits of phone',
  hint: 'Save people you often send to or from; the order form offers them by name or last digits of the phone.',
  kind: 'Use',
  name: 'Name',
  phone: 'Phone',
  place: 'Province / city / county',
  region: 'Region',
  province: 'Province',
  city: 'City',
  county: 'County',
  address: 'Address',
  reveal: 'Show number',
  revealed: 'Number shown',
  copy_phone: 'Copy number',
  too_short: 'Too short',
  place_missing: 'Choose a county',
  phone_masked: 'Number contains *; enter it in full',
  phone_invalid: 'Enter a valid phone number',
  phone_hidden:
    'The number belongs to another station and is hidden. If you leave it, it stays unchanged.',
} satisfies EnglishTextsOf<typeof zh>;
