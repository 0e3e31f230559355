import { percentile } from './measure.ts';
import type { Figure } from './measure.ts';
import type { Side } from './sides.ts';

/** Returns the two networks, the smaller one first. */
const bySize = <T>(one: [Side, T], other: [Side, T]): [[Side, T], [Side, T]] =>
  one[0].parcels <= other[0].parcels ? [one, other] : [other, one];

const times = (many: number, few: number): string =>
  few > 0 ? `${(many / few).toFixed(2)} ×` : '–';

/** Prints the figure of the larger network as a multiple of the smaller network's figure. */
export const ratioLine = (one: [Side, Figure], other: [Side, Figure]): string => {
  const [[small, few], [large, many]] = bySize(one, other);
  return `      from ${small.parcels} to ${large.parcels} parcels: median ${times(many.median, few.median)}, pg ${times(many.database, few.database)}, read ${times(many.looked?.rows ?? 0, few.looked?.rows ?? 0)}`;
};

export interface Pages {
  ratio: number;
  text: string;
}

const requests = 100;

/**
 * S2: reads the same page of two networks alternately, so that other work of the machine slows both
 * networks in the same way.
 */
export const comparePages = async (
  one: [Side, string],
  other: [Side, string],
  path: string,
): Promise<Pages> => {
  const [[small, smallToken], [large, largeToken]] = bySize(one, other);
  const [few, many]: [number[], number[]] = [[], []];
  const ask = async ({ api }: Side, token: string, into: number[]): Promise<void> => {
    const { ms, status } = await api.ask(token, path);
    if (status !== 200) throw new Error(`${path} answered ${status}`);
    into.push(ms);
  };
  for (let turn = 0; turn < requests; turn++) {
    await ask(small, smallToken, few);
    await ask(large, largeToken, many);
  }
  const [short, long] = [percentile(few, 0.5), percentile(many, 0.5)];
  return {
    ratio: long / short,
    text: `median ${long.toFixed(1)} ms with ${large.parcels} parcels beside ${short.toFixed(1)} ms with ${small.parcels}`,
  };
};
