import type { Role } from '@waystation/contract/roles.ts';
import type { TestSystem } from './test-system.ts';

/** Whose row it is, seen from the station that the shown clerk works in; `absent` is nobody's. */
export const targets = ['own', 'colleague', 'child', 'sibling', 'parent', 'stranger', 'absent'] as const;
export type Target = (typeof targets)[number];

/** What state a parcel must be in for the route to do its work; `ordered` is not changed by it and serves all. */
export type Kind = 'ordered' | 'draft' | 'whole' | 'refused';

/** How a route is asked: about nothing in particular, a parcel, a station, or a row that `make` brings; with what. */
export interface Row {
  about: 'nothing' | 'parcel' | 'station' | 'row';
  kind?: Kind;
  /** Makes the row a cell asks about and answers its id; `station_id` is whose it is to be. Called again for every cell that may change it. */
  make?: (system: TestSystem, station_id: number) => Promise<number>;
  /** The row belongs to that station, so that every target counts; else only those who may call the route and what is absent. */
  owned?: boolean;
  /** Where a resource has a rule of its own: whose rows each role may have. */
  mine?: Record<Role, readonly Target[]>;
  /** Brings the accounts into the state that the route asks for. */
  prepare?: (system: TestSystem) => Promise<void>;
  path?: (id: number) => string;
  body?: (id: number) => object;
}
