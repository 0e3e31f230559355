/** The name of an erased side of a parcel and of an erased contact. */
export const erasedName = '[erased]';
