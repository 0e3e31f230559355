/**
 * The smallest number of insertions, deletions and replacements of characters that changes one text
 * into the other.
 */
const distance = (from: readonly string[], to: readonly string[]): number => {
  let above = Array.from({ length: to.length + 1 }, (_, at) => at);
  for (const [row, char] of from.entries()) {
    const line = [row + 1];
    for (const [at, other] of to.entries())
      line.push(Math.min(above[at]! + (char === other ? 0 : 1), above[at + 1]! + 1, line[at]! + 1));
    above = line;
  }
  return above.at(-1)!;
};

const most = 3;
/**
 * The largest number of characters of a text that is compared. A longer text cannot be a misspelt
 * name, and would take long to compare.
 */
const longest = 60;

/**
 * The names that a text probably means, the nearest first: names that contain the text or that the
 * text contains, and names that differ in at most half of the characters. Empty if there are none.
 */
export const nearestNames = (text: string, names: readonly string[]): string[] => {
  const typed = Array.from(text.toLowerCase());
  if (typed.length === 0 || typed.length > longest) return [];
  return [...new Set(names)]
    .map((name) => {
      const chars = Array.from(name.toLowerCase());
      const plain = chars.join('');
      const isPart = plain.includes(typed.join('')) || typed.join('').includes(plain);
      const far = distance(typed, chars);
      return { name, far, isNear: isPart || far * 2 <= Math.max(typed.length, chars.length) };
    })
    .filter(({ isNear }) => isNear)
    .toSorted((a, b) => a.far - b.far)
    .slice(0, most)
    .map(({ name }) => name);
};
