import { endpoint } from '#base/endpoint.ts';
import { managers } from '#base/roles.ts';
import type { schemas } from './undo.schema.ts';
export type { UndoState } from './undo.schema.ts';

/**
 * One undo changes at most this number of rows, because all of them are changed in one database
 * transaction.
 */
export const mostUndone = 500;

/** The lists in which enabling and disabling can be undone. */
const switched: readonly string[] = [
  'cargos',
  'promises',
  'guarantees',
  'projects',
  'merchants',
  'vouchers',
  'contacts',
  'stations',
];
/** The fields of a station that decide its price. */
export const priceFields = [
  'project_id',
  'discount',
  'northeast_discount',
  'allow_select',
] as const;

export type UndoKind =
  | 'switch'
  | 'bulk_switch'
  | 'station_price'
  | 'bulk_price'
  | 'assign'
  | 'publication';

interface Entry {
  action: string;
  subject: string;
  changes: Readonly<Record<string, readonly [unknown, unknown]>>;
}

/**
 * The kind of undo for an entry of the audit log; null if changes of this kind cannot be undone.
 * `readUndo` checks whether this particular entry can still be undone.
 */
export const undoKindOf = ({ action, subject, changes }: Entry): UndoKind | null => {
  const fields = Object.keys(changes);
  if (switched.includes(subject)) {
    if (action === 'bulk_enable' || action === 'bulk_disable') return 'bulk_switch';
    if (
      (action === 'enable' || action === 'disable') &&
      fields.length === 1 &&
      fields[0] === 'status'
    )
      return 'switch';
  }
  if (
    subject === 'stations' &&
    (action === 'edit' || action === 'assign_project') &&
    fields.length > 0
  )
    return fields.every((field) => priceFields.some((name) => name === field))
      ? 'station_price'
      : null;
  if (subject === 'stations' && action === 'bulk_price') return 'bulk_price';
  if (subject === 'projects' && action === 'assign') return 'assign';
  return subject === 'vouchers' && action === 'publish' ? 'publication' : null;
};

export const readUndo = endpoint<typeof schemas.readUndo>({
  method: 'GET',
  path: '/api/arco/audit/{id}/undo',
  roles: managers,
  summary:
    'Whether a change can be undone now: how many rows it would set back, or what has happened since and by whom.',
});

/** Undoes a whole change or nothing. The caller needs the right to change these rows. */
export const undoChange = endpoint<typeof schemas.undoChange>({
  method: 'POST',
  path: '/api/arco/audit/{id}/undo',
  roles: managers,
  summary: `Undo a switch, a station’s prices, an assignment of schemes or a planned publication, at most ${mostUndone} rows, where nothing was changed on top.`,
});
