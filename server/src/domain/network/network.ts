/** The network of stations: who may change what of one, and what must hold of the tree before a change is kept (requirements §10.2.14). */
export { lockNetwork, subtreeOf } from './tree.ts';
export { checkAuthority, refuseOwn } from './authority.ts';
export { checkDiscounts } from './discounts.ts';
export { moveBelow } from './move.ts';
export { checkShares } from './shares.ts';
export { checkParent, checkRates } from './chain.ts';
export type { StationRow } from './tree.ts';
