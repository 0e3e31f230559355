/** The name of an erased side of a parcel and of an erased contact. */
export const erasedName = '[erased]';

/** The words that screens and exported files show for `erasedName`. */
export const erasedWords = { zh: '已删除', en: 'Erased' } as const;
