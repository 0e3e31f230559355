import type { Role } from '@waystation/contract/base/roles.ts';
import type { TestSystem } from './test-system.ts';

/** The owner of a row, relative to the demo clerk's station; `absent` does not exist. */
export const targets = [
  'own',
  'colleague',
  'child',
  'sibling',
  'parent',
  'stranger',
  'absent',
] as const;
export type Target = (typeof targets)[number];

/** The state of a parcel for the route; an `ordered` one is not changed and serves all routes. */
export type Kind = 'ordered' | 'draft' | 'whole' | 'refused';

/**
 * The subject of a route's call: nothing in particular, a parcel, a station, or a row from `make`;
 * with its input.
 */
export interface Row {
  about: 'nothing' | 'parcel' | 'station' | 'row';
  kind?: Kind;
  /**
   * Creates the row of a cell for `station_id` and returns its id. Called again for every cell that
   * may change it.
   */
  make?: (system: TestSystem, station_id: number) => Promise<number>;
  /**
   * The row belongs to that station, so that every target is tested; otherwise only the permitted
   * roles and absent rows.
   */
  owned?: boolean;
  /** The rows that each role may have, for a resource with a rule of its own. */
  mine?: Record<Role, readonly Target[]>;
  /** Brings the accounts into the state that the route asks for. */
  prepare?: (system: TestSystem) => Promise<void>;
  path?: (id: number) => string;
  body?: (id: number) => object;
}
