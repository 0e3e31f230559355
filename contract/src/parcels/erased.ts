/** The name that replaces the name of an erased person in a parcel or a contact. */
export const erasedName = '[erased]';

/** The text that screens and exported files show instead of `erasedName`. */
export const erasedWords = { zh: '已删除', en: 'Erased' } as const;
