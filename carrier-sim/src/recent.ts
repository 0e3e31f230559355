/** The latest entries, up to a limit. Entries are numbered from 1 on. */
export type Recent<T> = {
  add(entry: T): T & { number: number };
  /** Entries numbered above `after`, oldest first. */
  after(after: number, most: number): (T & { number: number })[];
  /** The number of entries that were ever added. */
  count(): number;
  clear(): void;
};

export const createRecent = <T>(kept: number): Recent<T> => {
  let entries: (T & { number: number })[] = [];
  let count = 0;
  return {
    add: (entry) => {
      count += 1;
      const numbered = { number: count, ...entry };
      entries.push(numbered);
      // Old entries are removed in groups, because removing one at every addition to a long array
      // would be too slow.
      if (entries.length >= 2 * kept) entries = entries.slice(-kept);
      return numbered;
    },
    after: (after, most) => entries.filter((entry) => entry.number > after).slice(0, most),
    count: () => count,
    clear: () => {
      entries = [];
    },
  };
};
