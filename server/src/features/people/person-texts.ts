/** A person who is searched in texts, by a typed phone and exact names. */
export interface PersonInTexts {
  phone: string;
  names: readonly string[];
}

/** Characters that may separate the digits of a phone. */
export const phoneSeparators = ' -转';

export const digitsOf = (phone: string): string => phone.replaceAll(/\D/g, '');

/** All texts in a JSON value, without its keys. */
export const textsOf = (value: unknown): string[] => {
  if (typeof value === 'string') return [value];
  if (value === null || typeof value !== 'object') return [];
  return Object.values(value).flatMap(textsOf);
};

/**
 * All texts in a body. If the body is JSON, these are its values, also values of JSON inside them.
 */
export const textsOfBody = (body: string): string[] => {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === 'object' ? textsOf(value).flatMap(textsOfBody) : [body];
  } catch {
    return [body];
  }
};

/**
 * Makes the functions that find a person in texts. They do not match other people with a longer
 * name or number.
 */
export const personTexts = ({ phone, names }: PersonInTexts) => {
  const digits = [...digitsOf(phone)].join(`[${phoneSeparators}]?`);
  const number = new RegExp(`(?<!\\d)(?:\\+?86[ -]?)?${digits}(?!\\d)`);
  const words = names.map(
    (name) => new RegExp(`(?<![\\p{L}·])${RegExp.escape(name)}(?![\\p{L}·])`, 'u'),
  );
  const hasPhone = (text: string): boolean => number.test(text);
  const isName = (text: string): boolean => names.includes(text.trim());
  const hasName = (text: string): boolean => words.some((word) => word.test(text));
  /** True if one of the texts contains the phone and one of them contains a name. */
  const isIn = (texts: readonly string[]): boolean => texts.some(hasPhone) && texts.some(hasName);
  return { hasPhone, isName, hasName, isIn };
};

/** Returns a JSON value with the person's texts emptied; it is unchanged if it contains none. */
export const blanked = (value: unknown, isPersons: (text: string) => boolean): unknown => {
  if (typeof value === 'string') return value !== '' && isPersons(value) ? '' : value;
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map((item) => blanked(item, isPersons));
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, blanked(item, isPersons)]),
  );
};

/** Returns the filters without those that contain a text of the person. */
export const withoutFilters = (
  search: Record<string, unknown>,
  isPersons: (text: string) => boolean,
): Record<string, unknown> =>
  Object.fromEntries(Object.entries(search).filter(([, value]) => !textsOf(value).some(isPersons)));
