import type { TextsOf } from '#locales/texts.ts';
import type { audit as zh } from '#locales/zh-CN/audit.ts';

export const audit = {
  searches: 'Account, reason, address or request id',
  hint: 'Every change is kept here: who, when, from where, and what was changed.',
  at: 'Time',
  account: 'Account',
  role: 'Role',
  action: 'Action',
  record: 'Record',
  record_id: 'Record id',
  changes: 'Changes',
  reason: 'Reason',
  address: 'From address',
  request: 'Request id',
  days: 'Days',
  untold: 'Changed (not shown)',
  nothing: 'No field changed',
  open_record: 'Open {record}',
  same_record: 'All about this record',
  same_request: 'All of this request',
  row: '{account}: {action} {record}',
} satisfies TextsOf<typeof zh>;
