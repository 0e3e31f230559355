import { endpoint } from '#base/endpoint.ts';
import { everyone } from '#base/roles.ts';
import type { schemas } from './contact.schema.ts';
export type { Contact } from './contact.schema.ts';

const base = '/api/arco/contacts';

export const contactKinds = {
  sender: { zh: '寄件人', en: 'Sender' },
  receive: { zh: '收件人', en: 'Recipient' },
} as const;
export type ContactKind = keyof typeof contactKinds;

export const listContacts = endpoint<typeof schemas.listContacts>({
  method: 'GET',
  path: base,
  roles: everyone,
  summary:
    'The address books in scope, last changed first; q is the end of a phone, or a part of a name.',
});

export const countContacts = endpoint<typeof schemas.countContacts>({
  method: 'GET',
  path: `${base}/counts`,
  roles: everyone,
  reads: 'stale',
  summary:
    'How many entries the filters of the list match; above 10,000 “at least”, unless exact: 1.',
});

export const getContact = endpoint<typeof schemas.getContact>({
  method: 'GET',
  path: `${base}/{id}`,
  roles: everyone,
  summary: 'One entry of an address book.',
});

export const createContact = endpoint<typeof schemas.createContact>({
  method: 'POST',
  path: base,
  roles: everyone,
  summary:
    'Create an entry; if the station already has the same one enabled, that one is returned and nothing is added.',
});

/**
 * The request contains only the changed fields. The place is checked as a whole: the fields of the
 * place that are not sent keep their stored values.
 */
export const editContact = endpoint<typeof schemas.editContact>({
  method: 'PATCH',
  path: `${base}/{id}`,
  roles: everyone,
  summary: 'Change an entry; a masked phone is refused.',
});

export const setContactStatus = endpoint<typeof schemas.setContactStatus>({
  method: 'POST',
  path: `${base}/{id}/status`,
  roles: everyone,
  summary: 'Enable or disable an entry; disabled ones are not suggested.',
});

export const revealContact = endpoint<typeof schemas.revealContact>({
  method: 'POST',
  path: `${base}/{id}/reveal`,
  roles: everyone,
  summary: 'The phone whole; audited.',
});
