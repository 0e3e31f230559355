import type { EnglishTextsOf } from '#locales/texts.ts';
import type { personal as zh } from '#locales/zh-CN/personal.ts';

export const personal = {
  intro:
    'Find what the network holds of a person by a full phone number, and export it as one file. Every search and export is recorded in the audit log, with the phone masked.',
  phone: 'Phone',
  reason: 'Requester or purpose',
  find: 'Find',
  none: 'No parcel or contact has this phone',
  found: 'Names with this phone',
  found_hint: 'Select the names of this person, then export. Several people may use one phone.',
  more_one: '{count} older name not listed',
  more_other: '{count} older names not listed',
  sent_one: '{count} parcel sent',
  sent_other: '{count} parcels sent',
  received_one: '{count} parcel received',
  received_other: '{count} parcels received',
  contacts_one: '{count} contact',
  contacts_other: '{count} contacts',
  open_one: '{count} parcel not finished',
  open_other: '{count} parcels not finished',
  newest: 'Latest {at}',
  export: 'Export selected',
  export_of_one: 'Export {count} name',
  export_of_other: 'Export {count} names',
  choose: 'Select a name',
  making: 'Making the file…',
  exported: 'Exported {name}',
  later: 'The file is still being made; download it later from the background jobs',
  not_included: 'The file leaves out',
  not_backups: 'Backups: they have this data until they expire.',
  not_pushes:
    'Carrier pushes as received: not searched by person, removed after their retention; the tracking made of them is included.',
  not_sheets:
    'Uploaded sheets and rows that were not ordered: removed with their import after its retention; ordered rows are included.',
} satisfies EnglishTextsOf<typeof zh>;
