import type { Language } from '@waystation/contract/base/errors.ts';
import type { AuditRow } from '@waystation/contract/shell/audit.ts';

/** The name of an account, followed by the name of the API key that it used. */
export const nameByKey = (account: string, key: string, language: Language): string =>
  `${account} (${language === 'zh' ? '密钥' : 'by key'} ${key})`;

/**
 * The account that made a change, and the API key if one was used. “…” is shown for a key whose
 * name is unknown.
 */
export const callerName = (
  { account_name, key_id, key_name }: Pick<AuditRow, 'account_name' | 'key_id' | 'key_name'>,
  language: Language,
): string =>
  key_id === null && key_name === ''
    ? account_name
    : nameByKey(account_name, key_name || '…', language);
