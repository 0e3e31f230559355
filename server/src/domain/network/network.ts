/**
 * The network of stations: who may change which fields, and the rules that the tree must satisfy
 * before a change is stored (requirements §10.2.14).
 */
export { lockNetwork, subtreeOf } from './tree.ts';
export { checkAuthority, refuseOwn } from './authority.ts';
export { checkDiscounts } from './discounts.ts';
export { moveBelow } from './move.ts';
export { checkShares } from './shares.ts';
export { checkParent, checkRates } from './chain.ts';
export type { StationRow } from './tree.ts';
