import type { Actor } from '#platform/auth/actor.ts';
import { jsonText, queueStatement } from '#platform/db/db.ts';
import type { Tx } from '#platform/db/db.ts';
import type { Origin } from '#platform/http/context.ts';

/** Field → [before, after]. Secrets are named with null values: that they changed is kept, not what they are. */
export type Changes = Record<string, readonly [unknown, unknown]>;

export interface AuditEntry {
  action: string;
  /** The table whose row was changed. */
  subject: string;
  subject_id: number | null;
  station_id?: number | null;
  changes?: Changes;
  reason?: string;
}

/** One row per change, in the change's own transaction (requirements §6). `actor` null: the system itself. */
export const recordAudit = async (tx: Tx, actor: Actor | null, request: Origin | null, entry: AuditEntry): Promise<void> => {
  const insert = tx
    .insertInto('audit_log')
    .values({
      account_id: actor?.account_id ?? null,
      account_name: actor?.username ?? 'system',
      role: actor?.role ?? 'system',
      address: request?.address ?? '',
      request_id: request?.request_id ?? '',
      action: entry.action,
      subject: entry.subject,
      subject_id: entry.subject_id,
      station_id: entry.station_id ?? null,
      changes: jsonText(entry.changes ?? {}),
      reason: entry.reason ?? '',
    })
    .compile();
  await queueStatement(tx, insert);
};

/** What differs between two versions of a row, among `fields`; of a new row (`before` null) all that is set. */
export const changesBetween = <Row extends object>(before: Row | null, after: Row, fields: readonly (keyof Row & string)[]): Changes =>
  Object.fromEntries(
    fields.filter((field) => JSON.stringify(before?.[field]) !== JSON.stringify(after[field])).map((field) => [field, [before?.[field], after[field]]]),
  );
