import type { LabelFormat, LabelPaper } from './label-input.ts';

/**
 * The layout of a label paper. All lengths are printer dots, 8 per millimetre as on a 203 dpi
 * printer, so that edges and bars fall on whole dots. The bands follow one another from the top.
 * Their heights add up to the paper's height without its margins.
 */
export interface Grid {
  width: number;
  height: number;
  margin: number;
  bands: {
    header: number;
    code: number;
    sort: number;
    route: number;
    receiver: number;
    sender: number;
    facts: number;
    foot: number;
  };
  /** The factor for font sizes, which are defined for the smaller paper. */
  scale: number;
  /**
   * The width of a module of the square code in dots; `mostSquares` is the largest number of
   * modules.
   */
  square: number;
  mostSquares: number;
}

export const dotsPerMillimetre = 8;

export const grids: Record<LabelPaper, Grid> = {
  '76x130': {
    width: 608,
    height: 1040,
    margin: 16,
    scale: 1,
    square: 4,
    mostSquares: 37,
    bands: {
      header: 70,
      code: 128,
      sort: 90,
      route: 106,
      receiver: 150,
      sender: 98,
      facts: 186,
      foot: 180,
    },
  },
  '100x150': {
    width: 800,
    height: 1200,
    margin: 20,
    scale: 1.2,
    square: 4,
    mostSquares: 45,
    bands: {
      header: 80,
      code: 146,
      sort: 106,
      route: 122,
      receiver: 176,
      sender: 116,
      facts: 212,
      foot: 202,
    },
  },
  '100x180': {
    width: 800,
    height: 1440,
    margin: 20,
    scale: 1.3,
    square: 5,
    mostSquares: 45,
    bands: {
      header: 90,
      code: 176,
      sort: 126,
      route: 150,
      receiver: 226,
      sender: 146,
      facts: 252,
      foot: 234,
    },
  },
};

export const paperOf = (format: LabelFormat): LabelPaper => (format === 'a4' ? '76x130' : format);

/**
 * An A4 sheet of four quarters, as label sheets are cut; each label is in the middle of its
 * quarter.
 */
export const sheet = {
  width: 210 * dotsPerMillimetre,
  height: 297 * dotsPerMillimetre,
  columns: 2,
  rows: 2,
};
