import { parcelsNamed } from '@waystation/contract/shell/events.ts';
import type { LiveEvent } from '@waystation/contract/shell/events.ts';
import { scopeOf } from '#platform/auth/actor.ts';
import type { Actor } from '#platform/auth/actor.ts';
import type { StoredEvent } from './store.ts';

/**
 * True if the actor may see this event. The rule is the same as in the query in `store.ts`, but
 * works on rows that were read once for all streams.
 */
export const maySee = (actor: Actor, { account_id, station_id, user_id }: StoredEvent): boolean => {
  if (account_id !== null) return account_id === actor.account_id;
  if (station_id === null) return false;
  const scope = scopeOf(actor);
  return (
    scope.kind === 'all' ||
    (scope.stations.includes(station_id) && (scope.account === null || scope.account === user_id))
  );
};

/** The fields of an event that triggers write into `data`; the other fields are columns. */
type Data<Kind extends LiveEvent['kind'], Columns extends string = never> = Omit<
  Extract<LiveEvent, { kind: Kind }>,
  'kind' | Columns
>;

const parcelOf = (
  actor: Actor,
  { subject_id, station_id, user_id, data }: StoredEvent,
): LiveEvent => ({
  kind: 'parcel',
  ...(data as unknown as Data<'parcel', 'express_id' | 'station_id' | 'mine'>),
  express_id: subject_id!,
  station_id: station_id!,
  mine: user_id === actor.account_id ? 1 : 0,
});

/**
 * The changed parcels as events, each with its id. If there are too many, only the caller's own
 * parcels have ids and the others are counted; if those are too many as well, all are counted.
 */
const parcelsOf = (actor: Actor, rows: readonly StoredEvent[]): LiveEvent[] => {
  const single = rows.filter(({ kind }) => kind === 'parcel');
  const own = single.filter(({ user_id }) => user_id === actor.account_id);
  const named = single.length <= parcelsNamed ? single : own.length <= parcelsNamed ? own : [];
  let created = 0;
  let changed = 0;
  const isNamed = new Set(named);
  for (const row of rows) {
    if (isNamed.has(row)) continue;
    const {
      created: n = 0,
      changed: m = 0,
      change,
    } = row.data as { created?: number; changed?: number; change?: string };
    created += row.kind === 'parcels' ? n : change === 'created' ? 1 : 0;
    changed += row.kind === 'parcels' ? m : change === 'created' ? 0 : 1;
  }
  const events = named.map((row) => parcelOf(actor, row));
  return created + changed === 0 ? events : [...events, { kind: 'parcels', created, changed }];
};

/**
 * The events that the actor may see, as one message. Only the latest event is kept for each job,
 * each import and the inbox.
 */
export const composeEvents = (actor: Actor, rows: readonly StoredEvent[]): LiveEvent[] => {
  const jobs = new Map<number, LiveEvent>();
  const imports = new Map<number, LiveEvent>();
  let inbox: LiveEvent | null = null;
  for (const { kind, subject_id, data } of rows) {
    if (kind === 'job')
      jobs.set(subject_id!, {
        kind: 'job',
        ...(data as unknown as Data<'job', 'job_id'>),
        job_id: subject_id!,
      });
    if (kind === 'import')
      imports.set(subject_id!, {
        kind: 'import',
        ...(data as unknown as Data<'import', 'import_id'>),
        import_id: subject_id!,
      });
    if (kind === 'inbox') inbox = { kind: 'inbox', ...(data as unknown as Data<'inbox'>) };
  }
  const parcels = parcelsOf(
    actor,
    rows.filter(({ kind }) => kind === 'parcel' || kind === 'parcels'),
  );
  return [...parcels, ...jobs.values(), ...imports.values(), ...(inbox === null ? [] : [inbox])];
};
