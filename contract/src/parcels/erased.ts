/** The name of an erased side of a parcel and of an erased contact. */
export const erasedName = '[erased]';

/** The words that stand for it on screens and in exported files. */
export const erasedWords = { zh: '已删除', en: 'Erased' } as const;
