import { office } from '@waystation/contract/base/roles.ts';
import { fail } from '#platform/fail.ts';
import type { Actor } from './actor.ts';

interface Switchable {
  status: 0 | 1;
  disabled_by_office: 0 | 1;
}

/**
 * Returns the mark "disabled by the office" for a new row that a super admin or admin creates
 * disabled.
 */
export const newStatusColumns = (
  actor: Actor,
  status: 0 | 1 | undefined,
): { disabled_by_office?: 1 } =>
  status === 0 && office.includes(actor.role) ? { disabled_by_office: 1 } : {};

/**
 * Returns the column values for enabling or disabling an account or a station; null if nothing
 * changes. Only super admins and admins may enable a row that one of them disabled: for other
 * actors it throws `disabled_by_office` with the row's name.
 */
export const statusColumns = (
  actor: Actor,
  row: Switchable,
  name: string,
  status: 0 | 1,
): Switchable | null => {
  const byOffice = office.includes(actor.role);
  if (status === 1 && row.disabled_by_office === 1 && !byOffice)
    fail('disabled_by_office', { name });
  const disabled_by_office = status === 0 && (byOffice || row.disabled_by_office === 1) ? 1 : 0;
  return row.status === status && row.disabled_by_office === disabled_by_office
    ? null
    : { status, disabled_by_office };
};
