import { sql } from '#platform/db/db.ts';
import type { Row } from './access-row.ts';
import { rowsOf } from './test-system.ts';
import type { TestSystem } from './test-system.ts';

const scan_id = '00000000-0000-4000-8000-000000000001';
let scans = 0;
/** Returns a scan id that no other request uses. */
const freshScan = (): string => `00000000-0000-4000-8000-${String(++scans).padStart(12, '1')}`;

const noneOpen = async (system: TestSystem): Promise<void> =>
  void (await rowsOf(
    system,
    sql`update handovers set status = 'discarded', ended_at = now(), ended_by = user_id
    where status = 'open'`,
  ));

/**
 * Stores a hand-over. If the demo clerk belongs to the station, the clerk opens it; otherwise the
 * super admin opens it.
 */
const handover =
  (packages: number, closed = false) =>
  async (system: TestSystem, station_id: number): Promise<number> => {
    await noneOpen(system);
    const [row] = await rowsOf(
      system,
      sql<{ id: number }>`insert into handovers (station_id, provider, user_id, opened_at, packages)
        select ${station_id}, 'jdl', (select id from accounts a
          where a.username in ('clerk', 'super')
          and coalesce(a.station_id, ${station_id}) = ${station_id} order by a.username limit 1),
          now(), ${packages} returning id`,
    );
    const { id } = row!;
    await rowsOf(
      system,
      sql`insert into handover_scans (handover_id, station_id, user_id, scan_id, scanned_by, at,
        number, result) select id, station_id, user_id, ${scan_id}, user_id, now(), 'X1', 'unknown'
        from handovers where id = ${id}`,
    );
    if (closed)
      await rowsOf(
        system,
        sql`update handovers set status = 'closed', ended_at = now(), ended_by = user_id
        where id = ${id}`,
      );
    return id;
  };

const ofHandover = (
  tail: string,
  body?: () => object,
  make: NonNullable<Row['make']> = handover(0),
): Row => ({
  about: 'row',
  make,
  owned: true,
  path: (id) => `/api/arco/handovers/${id}${tail}`,
  ...(body && { body }),
});

/** The routes that read and change hand-overs. */
export const handovers: Readonly<Record<string, Row>> = {
  'GET /api/arco/handovers': { about: 'nothing' },
  'GET /api/arco/handovers/counts': { about: 'nothing' },
  'POST /api/arco/handovers': {
    about: 'station',
    prepare: noneOpen,
    path: () => '/api/arco/handovers',
    body: (id) => ({ station_id: id, provider: 'jdl' }),
  },
  'GET /api/arco/handovers/{id}': ofHandover(''),
  'GET /api/arco/handovers/{id}/scans': ofHandover('/scans?part=others'),
  'GET /api/arco/handovers/{id}/missing': ofHandover('/missing'),
  'POST /api/arco/handovers/{id}/scans': ofHandover('/scans', () => ({
    scans: [{ scan_id: freshScan(), number: 'X2' }],
  })),
  'POST /api/arco/handovers/{id}/take-back': ofHandover('/take-back', () => ({ scan_id })),
  'POST /api/arco/handovers/{id}/close': ofHandover('/close', () => ({ packages: 1 }), handover(1)),
  'POST /api/arco/handovers/{id}/discard': ofHandover('/discard', () => ({})),
  'GET /api/arco/handovers/{id}/file': ofHandover(
    '/file?origin=http%3A%2F%2Flocalhost',
    undefined,
    handover(0, true),
  ),
  'GET /api/arco/expresses/{id}/handovers': {
    about: 'parcel',
    kind: 'ordered',
    path: (id) => `/api/arco/expresses/${id}/handovers`,
  },
};
