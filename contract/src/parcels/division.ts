export const levels = ['province', 'city', 'county'] as const;
export type Level = (typeof levels)[number];

/**
 * A province, city or county. A municipality contains one city of the same name. 东莞, 中山, 儋州, 嘉峪关
 * and the counties directly under a province (仙桃, 石河子 …) are cities without counties. In the
 * provinces 71, 81 and 82 no official codes exist, so we number their divisions.
 */
export interface Division {
  code: string;
  level: Level;
  /** The official name: 广东省, 延边朝鲜族自治州, 南山区. */
  name: string;
  /** The short name: 广东, 延边, 南山. */
  short: string;
  /** Pinyin without tones, with a space between syllables: `nan shan qu`. */
  pinyin: string;
  parent: Division | null;
  children: Division[];
}
