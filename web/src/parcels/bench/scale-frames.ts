/** The weight in a line in grams. Null if the line contains no weight. */
import { parseKg } from '@waystation/contract/base/weight.ts';

export interface Reading {
  grams: number;
  /**
   * True if the scale reports a stable weight, and false if it reports an unstable one. Null if its
   * protocol does not report stability.
   */
  stable: boolean | null;
}

/** The maximum number of characters in a line. A longer line does not come from a scale. */
export const longestLine = 64;
/**
 * If the scale does not report stability, a weight counts as stable after this number of equal
 * readings.
 */
const sameForStable = 5;

const marks: readonly (readonly [RegExp, boolean])[] = [
  [/^(?:ST|S S)/, true],
  [/^(?:US|S D|OL)/, false],
];

/**
 * Reads a line such as `ST,GS,+  1.250kg`, `S S     1.250 kg`, `wn0001.25kg` or `+001.250 kg`. A
 * line has an optional sign of stability in the scale's protocol, a number, and kg or g.
 */
export const readLine = (line: string): Reading | null => {
  const text = line.slice(0, longestLine).trim();
  const number = /([+-]?) {0,12}(\d{1,5}(?:\.\d{1,4})?) {0,4}(kg|g)\b/i.exec(text);
  if (number === null) return null;
  const [, sign, digits, unit] = number;
  const grams =
    unit!.toLowerCase() === 'g' ? Math.round(Number(digits)) : parseKg(Number(digits).toFixed(3));
  if (grams === null) return null;
  return {
    grams: sign === '-' ? -grams : grams,
    stable: marks.find(([mark]) => mark.test(text))?.[1] ?? null,
  };
};

export interface Weight {
  grams: number;
  stable: boolean;
  /**
   * The number of weights that became stable so far. It changes with each new stable weight, so
   * that each weight is used only once.
   */
  no: number;
}

export const noWeight: Weight = { grams: 0, stable: false, no: 0 };

/**
 * Returns a reader that takes the text of a scale in pieces of any size and returns the weight
 * after each piece. A weight of zero is never stable.
 */
export const weightReader = (): ((piece: string) => Weight) => {
  let rest = '';
  let last: number | null = null;
  let same = 0;
  let weight = noWeight;
  const note = ({ grams, stable }: Reading): void => {
    same = grams === last ? same + 1 : 1;
    last = grams;
    const isStable = grams > 0 && (stable ?? same >= sameForStable);
    const isNew = isStable && (!weight.stable || weight.grams !== grams);
    weight = { grams, stable: isStable, no: isNew ? weight.no + 1 : weight.no };
  };
  return (piece) => {
    const lines = (rest + piece).split(/[\r\n\x02\x03]/);
    rest = lines.pop()!.slice(-longestLine);
    for (const line of lines) {
      const reading = readLine(line);
      if (reading !== null) note(reading);
    }
    return weight;
  };
};
