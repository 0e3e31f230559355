import type { Division } from '@waystation/contract/parcels/division.ts';
import type { AliasKind } from '@waystation/contract/parcels/division-names.ts';
import { isPartOfWord } from '@waystation/contract/parcels/division-match.ts';
import type { FormerDivision } from '@waystation/contract/parcels/former-divisions.ts';
import type { Hit } from './place-names.ts';

/** A province, city and county that follow one another in a text. */
export interface Chain {
  start: number;
  end: number;
  province: Division | null;
  city: Division | null;
  county: Division | null;
  /**
   * The name of a county that exists in several cities, or that was divided into several counties;
   * `county` is null in that case.
   */
  ambiguous: string;
  /**
   * The former name of a renamed county in the text, otherwise empty. If it is set, province and
   * city are the present ones, whatever the text contains.
   */
  former: string;
  /**
   * True if the former name is written without its ending. It may be part of a longer name, so it
   * remains in the address (天津 塘沽洋货市场).
   */
  isFormerKept: boolean;
  /**
   * True if one level contradicts another (深圳市 天河区). The names are then kept as written, so that a
   * user chooses.
   */
  isContradicted: boolean;
  /** The confidence of each level, from 0 to 100. */
  sure: { province: number; city: number; county: number };
  /** The score of this way to read the text; the way with the highest score is chosen. */
  score: number;
  /** The number of levels (province, city, county) that the text contains. */
  namedLevels: number;
}

export const weight: Record<AliasKind, number> = {
  full: 10,
  variant: 9,
  local: 8,
  short: 7,
  swapped: 7,
};
export const sureness: Record<AliasKind, number> = {
  full: 100,
  variant: 97,
  local: 93,
  short: 93,
  swapped: 80,
};

export interface Known {
  province: Division | null;
  city: Division | null;
  /** The former city whose name the text contains instead of the name of the present city. */
  former?: FormerDivision | undefined;
  depth: number;
}

export const none = {
  province: null,
  city: null,
  county: null,
  ambiguous: '',
  former: '',
  isFormerKept: false,
  isContradicted: false,
  sure: { province: 0, city: 0, county: 0 },
  score: 0,
  namedLevels: 0,
};

export const partOfWord = (hit: Pick<Hit, 'text' | 'kind'>, text: string, end: number): boolean =>
  isPartOfWord(hit, text.slice(end, end + 6));

export const contradicted = 40;
