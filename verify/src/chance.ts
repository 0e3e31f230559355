/** Random values that depend only on a seed, so that a run can be repeated. */
export interface Chance {
  /** Returns a whole number from 0 to `below`. `below` itself is not included. */
  below(below: number): number;
  /** Returns a whole number from `least` to `most`. Both limits are included. */
  between(least: number, most: number): number;
  pick<T>(list: readonly T[]): T;
}

export const chanceOf = (seed: string): Chance => {
  let state = 2_166_136_261;
  for (const letter of seed) state = Math.imul(state ^ letter.codePointAt(0)!, 16_777_619);
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    const mixed = Math.imul(state ^ (state >>> 15), state | 1);
    const twice = mixed ^ (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61));
    return ((twice ^ (twice >>> 14)) >>> 0) / 4_294_967_296;
  };
  const below = (limit: number): number => Math.floor(next() * limit);
  return {
    below,
    between: (least, most) => least + below(most - least + 1),
    pick: (list) => list[below(list.length)]!,
  };
};
