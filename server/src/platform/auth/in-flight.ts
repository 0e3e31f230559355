/**
 * Counts the pieces of work that run in this process at the same time, by name. The counts are kept
 * in memory only.
 */
export interface InFlight {
  /**
   * Counts one more piece of work under a name. Returns the function that ends this work; null if a
   * limit is reached.
   */
  enter(name: string): (() => void) | null;
}

/**
 * Allows at most `each` pieces of work at a time for one name, and at most `names` different names
 * at a time.
 */
export const createInFlight = ({ each, names }: { each: number; names: number }): InFlight => {
  const counts = new Map<string, number>();
  return {
    enter: (name) => {
      const count = counts.get(name) ?? 0;
      if (count >= each || (count === 0 && counts.size >= names)) return null;
      counts.set(name, count + 1);
      let ended = false;
      return () => {
        if (ended) return;
        ended = true;
        const left = (counts.get(name) ?? 1) - 1;
        if (left === 0) counts.delete(name);
        else counts.set(name, left);
      };
    },
  };
};
