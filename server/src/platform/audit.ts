import { jsonText, queueStatement } from '#platform/db/db.ts';
import type { ReaderWork, UserWork, Work } from '#platform/db/db.ts';

/**
 * Field → [before, after]. Secrets are listed with null values: the change is recorded, not the
 * content.
 */
export type Changes = Record<string, readonly [unknown, unknown]>;

export interface AuditEntry {
  action: string;
  /** The name of the table whose row was changed. */
  subject: string;
  subject_id: number | null;
  station_id?: number | null;
  changes?: Changes;
  reason?: string;
}

const insertEntry = async (work: Work, entry: AuditEntry): Promise<void> => {
  const { actor, origin } = work;
  const insert = work.tx
    .insertInto('audit_log')
    .values({
      account_id: actor?.account_id ?? null,
      account_name: actor?.username ?? 'system',
      key_id: actor?.key?.id ?? null,
      key_name: actor?.key?.name ?? '',
      role: actor?.role ?? 'system',
      address: origin?.address ?? '',
      request_id: origin?.request_id ?? '',
      action: entry.action,
      subject: entry.subject,
      subject_id: entry.subject_id,
      station_id: entry.station_id ?? null,
      changes: jsonText(entry.changes ?? {}),
      reason: entry.reason ?? '',
    })
    .compile();
  await queueStatement(work, insert);
};

/** Records a user's change in the transaction of the change (requirements §6). */
export const recordAudit: (work: UserWork, entry: AuditEntry) => Promise<void> = insertEntry;

/** Records a read that an export makes without a request. */
export const recordReadAudit: (work: ReaderWork, entry: AuditEntry) => Promise<void> = insertEntry;

/** Records a change that the system makes and not a user. */
export const recordSystemAudit: (work: Work, entry: AuditEntry) => Promise<void> = insertEntry;

/**
 * Writes to the audit log how many rows a task has removed, and after how many days. Writes nothing
 * if it removed none.
 */
export const recordPruned = async (
  work: Work,
  subject: 'alerts' | 'carrier_pushes',
  { days, rows }: { days: number; rows: number },
): Promise<void> => {
  if (rows > 0)
    await recordSystemAudit(work, {
      action: 'prune',
      subject,
      subject_id: null,
      changes: { days: [null, days], rows: [null, rows] },
    });
};

/**
 * Returns the differences between two versions of a row in `fields`. For a new row (`before` is
 * null) it returns all fields that are set.
 */
export const changesBetween = <Row extends object>(
  before: Row | null,
  after: Row,
  fields: readonly (keyof Row & string)[],
): Changes =>
  Object.fromEntries(
    fields
      .filter((field) => JSON.stringify(before?.[field]) !== JSON.stringify(after[field]))
      .map((field) => [field, [before?.[field], after[field]]]),
  );
