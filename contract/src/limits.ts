/** Bounds of fields that forms check too, before they send; texts in characters (code points). */

/** Why something is done. */
export const reasonLength = { min: 2, max: 200 } as const;
/** A note or description that may stay empty. */
export const noteLength = 200;
/** Why a parcel is cancelled, as the carrier takes it. */
export const cancelReasonLength = 30;
/** The name of a station, scheme, template, carrier account or contact. */
export const nameLength = 50;
/** The name of goods, of a product or of a saved view. */
export const shortNameLength = 30;
export const addressLength = 200;
/** What a list is ordered by: a lower one comes first, or a higher one where the list says so. */
export const mostPriority = 9_999;
/** Packages of one parcel. */
export const mostPackages = 50;
