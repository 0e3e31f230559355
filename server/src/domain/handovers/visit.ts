import { mostOpenHandovers } from '@waystation/contract/base/limits.ts';
import type { Provider } from '@waystation/contract/network/provider.ts';
import { recordAudit } from '#platform/audit.ts';
import type { Changes } from '#platform/audit.ts';
import { jsonText, oneRow, sql } from '#platform/db/db.ts';
import type { UserWork } from '#platform/db/db.ts';
import { fail } from '#platform/fail.ts';
import { missingOf } from './expected.ts';
import { cancelledOf } from './reads.ts';
import { lockHandover, lockStation } from './row.ts';
import type { HandoverRow } from './row.ts';
import { recount } from './scan.ts';

const audit = (
  work: UserWork,
  action: string,
  { id, station_id }: { id: number; station_id: number },
  changes: Changes = {},
): Promise<void> =>
  recordAudit(work, { action, subject: 'handovers', subject_id: id, station_id, changes });

/**
 * Opens a hand-over of the station's parcels, or of the clerk's own parcels, and returns its id. If
 * the user already has an open one, the id of that hand-over is returned.
 */
export const openHandover = async (
  work: UserWork,
  { station_id, provider, at }: { station_id: number; provider: Provider; at: Date },
): Promise<number> => {
  const { account_id, role } = work.actor;
  await lockStation(work, station_id);
  const { mine, n } = await work.asSystem('open hand-overs of a station', (system) =>
    oneRow(
      system,
      sql<{ mine: number | null; n: number }>`
        select min(id) filter (where user_id = ${account_id}) as mine, count(*)::int as n
        from handovers where station_id = ${station_id} and provider = ${provider}
        and status = 'open'`,
    ),
  );
  if (mine !== null) return mine;
  if (n >= mostOpenHandovers) fail('handover_too_many', { limit: mostOpenHandovers });
  const { id } = await oneRow(
    work,
    sql<{ id: number }>`insert into handovers (station_id, provider, user_id, only_user_id,
      opened_at) values (${station_id}, ${provider}, ${account_id},
      ${role === 'user' ? account_id : null}::bigint, ${at}) returning id`,
  );
  await audit(work, 'open_handover', { id, station_id }, { provider: [null, provider] });
  return id;
};

const requireOpen = (visit: HandoverRow): void => {
  if (visit.status !== 'open') fail('handover_ended', { id: visit.id });
};

/** Undoes a scan of an open hand-over. Nothing changes if the scan was undone already. */
export const takeBack = async (
  work: UserWork,
  { id, scan_id, at }: { id: number; scan_id: string; at: Date },
): Promise<void> => {
  const visit = await lockHandover(work, id);
  requireOpen(visit);
  const { rows } = await sql<{ number: string; result: string; taken_back: boolean }>`
    select number, result, taken_back_at is not null as taken_back from handover_scans
    where handover_id = ${id} and scan_id = ${scan_id}`.execute(work.tx);
  const scan = rows[0] ?? fail('not_found');
  if (scan.taken_back) return;
  await sql`update handover_scans set taken_back_at = ${at},
    taken_back_by = ${work.actor.account_id}
    where handover_id = ${id} and scan_id = ${scan_id}`.execute(work.tx);
  await recount(work, id);
  await audit(work, 'take_back_scan', visit, {
    number: [scan.number, null],
    result: [scan.result, null],
  });
};

interface Closing {
  id: number;
  /** The number of packages that the user saw. */
  packages: number;
  /** 1 if packages of cancelled parcels may stay on the list. */
  with_cancelled: 0 | 1;
  courier_name: string;
  note: string;
  at: Date;
}

/**
 * Closes a hand-over and stores which parcels are missing now. From then on, a hash covers the
 * hand-over and the database refuses any change of it. Nothing changes if the same user closes it
 * again.
 */
export const closeHandover = async (
  work: UserWork,
  { id, packages, with_cancelled, courier_name, note, at }: Closing,
): Promise<void> => {
  const visit = await lockHandover(work, id);
  if (visit.status === 'closed' && visit.ended_by === work.actor.account_id) return;
  requireOpen(visit);
  if (visit.packages === 0) fail('handover_empty');
  if (visit.packages !== packages) fail('handover_changed', { packages: visit.packages });
  const cancelled = await cancelledOf(work, id);
  if (cancelled > 0 && with_cancelled === 0) fail('handover_cancelled', { packages: cancelled });
  const missing = await missingOf(work, visit);
  const kept = { parcels: missing.parcels, items: missing.items };
  await sql`update handovers set status = 'closed', ended_at = ${at},
    ended_by = ${work.actor.account_id}, courier_name = ${courier_name}, note = ${note},
    missing = ${missing.packages}, missing_parcels = ${jsonText(kept)}::jsonb
    where id = ${id}`.execute(work.tx);
  await audit(work, 'close_handover', visit, {
    packages: [null, packages],
    missing: [null, missing.packages],
  });
};

/** Discards an open hand-over in which no package was handed over. */
export const discardHandover = async (
  work: UserWork,
  { id, at }: { id: number; at: Date },
): Promise<void> => {
  const visit = await lockHandover(work, id);
  if (visit.status === 'discarded') return;
  requireOpen(visit);
  if (visit.packages > 0) fail('handover_not_empty', { packages: visit.packages });
  await sql`update handovers set status = 'discarded', ended_at = ${at},
    ended_by = ${work.actor.account_id} where id = ${id}`.execute(work.tx);
  await audit(work, 'discard_handover', visit);
};
