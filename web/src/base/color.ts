/** Calculates the colours of the theme; colours are written as `#RRGGBB`. */

type Rgb = readonly [number, number, number];

const channels = (hex: string): Rgb =>
  [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)) as unknown as Rgb;

const hexOf = (rgb: readonly number[]): string =>
  `#${rgb.map((value) => Math.round(value).toString(16).padStart(2, '0')).join('')}`;

/** Mixes two colours; `share` (0–1) is the share of `other` in the result. */
export const mix = (hex: string, other: string, share: number): string => {
  const to = channels(other);
  return hexOf(channels(hex).map((value, index) => value + (to[index]! - value) * share));
};

const luminance = (hex: string): number => {
  const [red, green, blue] = channels(hex).map((value) => {
    const part = value / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
};

/** The WCAG contrast ratio of two colours, from 1 to 21. */
export const contrast = (one: string, other: string): number => {
  const [low, high] = [luminance(one), luminance(other)].toSorted((a, b) => a - b) as [
    number,
    number,
  ];
  return (high + 0.05) / (low + 0.05);
};

/**
 * The colour with a contrast of at least `ratio` against `against`. It lies between `hex` and
 * `towards`, as near to `hex` as possible.
 */
export const readable = (hex: string, against: string, towards: string, ratio = 4.5): string => {
  for (let share = 0; share < 1; share += 0.02) {
    const tried = mix(hex, towards, share);
    if (contrast(tried, against) >= ratio) return tried;
  }
  return towards;
};
