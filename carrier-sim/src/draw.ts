/**
 * Returns a number in [0, 1) that depends only on the given words. A random value is calculated
 * from names (seed, customer, order number, purpose) and not by a running generator. A parcel
 * therefore always has the same journey, whatever other parcels exist and in whatever order
 * requests arrive.
 */
export const draw = (...words: readonly (string | number)[]): number => {
  let hash = 0x811c9dc5;
  const text = words.join('\u0001');
  for (let i = 0; i < text.length; i += 1) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  // Two adjacent order numbers differ in only one character. Mixing makes every bit of the result
  // depend on every bit of the text.
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) / 0x1_0000_0000;
};

/** A whole number from `least` to `most`, both included. */
export const drawWhole = (
  least: number,
  most: number,
  ...words: readonly (string | number)[]
): number => least + Math.floor(draw(...words) * (most - least + 1));

/** One of the items. */
export const drawOne = <T>(items: readonly T[], ...words: readonly (string | number)[]): T =>
  items[Math.floor(draw(...words) * items.length)] as T;
