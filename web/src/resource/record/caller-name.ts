import type { AuditRow } from '@waystation/contract/shell/audit.ts';

/** The account of a change, with the API key by which it was made. */
export const callerName = ({
  account_name,
  key_name,
}: Pick<AuditRow, 'account_name' | 'key_name'>): string =>
  key_name === '' ? account_name : `${account_name} (${key_name})`;
