import type { EnglishTextsOf } from '#locales/texts.ts';
import type { audit as zh } from '#locales/zh-CN/audit.ts';

export const audit = {
  searches: 'Account, reason, address or request ID',
  hint: 'Each change is recorded: time, account, source and content.',
  at: 'Time',
  account: 'Account',
  role: 'Role',
  action: 'Action',
  record: 'Record',
  record_id: 'Record ID',
  changes: 'Changes',
  reason: 'Reason',
  address: 'Source address',
  request: 'Request ID',
  days: 'Days',
  hidden: 'Changed (not shown)',
  nothing: 'No field changed',
  open_record: 'Open {record}',
  same_record: 'All changes of this record',
  same_request: 'All changes of this request',
  row: '{account}: {action} {record}',
  undo_since: 'Changed since',
  undo_since_row: '{time} {account}: {action}, {record}',
} satisfies EnglishTextsOf<typeof zh>;
