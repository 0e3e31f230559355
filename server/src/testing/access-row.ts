import type { Role } from '@waystation/contract/base/roles.ts';
import type { TestSystem } from './test-system.ts';

/**
 * The possible owners of a row, seen from the demo clerk's station. `absent` means that the row
 * does not exist.
 */
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

/**
 * The state of the parcel that a route uses. All routes share one parcel in the state `ordered`,
 * because no route changes it.
 */
export type Kind = 'ordered' | 'draft' | 'whole' | 'refused';

/**
 * The row of a route in the access table. It defines the input of the request and its subject:
 * nothing, a parcel, a station, or a row that `make` creates.
 */
export interface Row {
  about: 'nothing' | 'parcel' | 'station' | 'row';
  kind?: Kind;
  /**
   * Creates the row for a test at `station_id` and returns its id. It is called again for every
   * test that may change the row.
   */
  make?: (system: TestSystem, station_id: number) => Promise<number>;
  /**
   * True if the row belongs to the station `station_id`. The test then runs for every target.
   * Otherwise it runs only for the permitted roles and for absent rows.
   */
  owned?: boolean;
  /** The targets of which each role may use the rows, if the resource has its own access rule. */
  mine?: Record<Role, readonly Target[]>;
  /** Called before the request. Prepares the state that the route needs. */
  prepare?: (system: TestSystem) => Promise<void>;
  path?: (id: number) => string;
  body?: (id: number) => object;
}
