/**
 * Values that must exist by the rules of the surrounding code. A missing value is a defect, and
 * throws where the value is first read.
 */

/** Returns the value; throws if it is null or undefined. */
export const present = <T>(value: T): NonNullable<T> => {
  if (value === undefined || value === null)
    throw new Error('a value that must be there is missing');
  return value;
};

/** The first item of a list that is not empty. */
export const firstOf = <T>(list: ArrayLike<T>): T => {
  if (list.length === 0) throw new Error('a list that must have an item is empty');
  return list[0] as T;
};

/** The last item of a list that is not empty. */
export const lastOf = <T>(list: ArrayLike<T>): T => {
  if (list.length === 0) throw new Error('a list that must have an item is empty');
  return list[list.length - 1] as T;
};
