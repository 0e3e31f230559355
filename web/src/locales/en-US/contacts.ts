import type { TextsOf } from '#locales/texts.ts';
import type { contacts as zh } from '#locales/zh-CN/contacts.ts';

export const contacts = {
  new: 'New contact',
  searches: 'Name or end of phone',
  hint: 'People you send to and from often are kept here and offered in the order form by name or the end of their phone.',
  kind: 'Used as',
  name: 'Name',
  phone: 'Phone',
  place: 'Province / city / county',
  province: 'Province',
  city: 'City',
  county: 'County',
  address: 'Address',
  reveal: 'Show number',
  revealed: 'Number shown',
  copy_phone: 'Copy number',
  too_short: 'Too short',
  place_missing: 'Choose down to the county',
  phone_masked: 'The number holds *; type it whole',
  phone_invalid: 'Not a phone number',
  phone_hidden: 'The number is another station’s and is masked; left alone it stays as it is.',
} satisfies TextsOf<typeof zh>;
