/**
 * Hand-over lists (requirements §10.14.10): a courier's visit at a station with its scans and the
 * missing parcels. A closed hand-over is protected by a hash, like other source records.
 */
export { expectedOf, missingOf } from './expected.ts';
export { handoverIn, handoverList, shownHandover } from './row.ts';
export { cancelledOf, handoversOfParcel, othersOf, packagesOf, scansOf } from './reads.ts';
export { scanNumbers } from './scan.ts';
export { closeHandover, discardHandover, openHandover, takeBack } from './visit.ts';
