import { office } from '@waystation/contract/roles.ts';
import { fail } from '#platform/fail.ts';
import type { Actor } from './actor.ts';

interface Switchable {
  status: 0 | 1;
  disabled_by_office: 0 | 1;
}

/** Columns of a new row: super and admin may make one that is disabled. */
export const newStatusColumns = (actor: Actor, status: 0 | 1 | undefined): { disabled_by_office?: 1 } =>
  status === 0 && office.includes(actor.role) ? { disabled_by_office: 1 } : {};

/**
 * Columns of an account or a station that this actor enables or disables; null where they are so already. A row that super or admin disabled is enabled
 * by them alone, whichever way leads here: throws `disabled_by_office` with the row's name for everybody else.
 */
export const statusColumns = (actor: Actor, row: Switchable, name: string, status: 0 | 1): Switchable | null => {
  const byOffice = office.includes(actor.role);
  if (status === 1 && row.disabled_by_office === 1 && !byOffice) fail('disabled_by_office', { name });
  const disabled_by_office = status === 0 && (byOffice || row.disabled_by_office === 1) ? 1 : 0;
  return row.status === status && row.disabled_by_office === disabled_by_office ? null : { status, disabled_by_office };
};
