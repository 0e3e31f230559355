/**
 * The 34 province-level divisions by official code (GB/T 2260). Codes are six digits:
 * province `440000`, city `440300`, county `440305`.
 */
export const provinces = [
  { code: '110000', zh: '北京', en: 'Beijing' },
  { code: '120000', zh: '天津', en: 'Tianjin' },
  { code: '130000', zh: '河北', en: 'Hebei' },
  { code: '140000', zh: '山西', en: 'Shanxi' },
  { code: '150000', zh: '内蒙古', en: 'Inner Mongolia' },
  { code: '210000', zh: '辽宁', en: 'Liaoning' },
  { code: '220000', zh: '吉林', en: 'Jilin' },
  { code: '230000', zh: '黑龙江', en: 'Heilongjiang' },
  { code: '310000', zh: '上海', en: 'Shanghai' },
  { code: '320000', zh: '江苏', en: 'Jiangsu' },
  { code: '330000', zh: '浙江', en: 'Zhejiang' },
  { code: '340000', zh: '安徽', en: 'Anhui' },
  { code: '350000', zh: '福建', en: 'Fujian' },
  { code: '360000', zh: '江西', en: 'Jiangxi' },
  { code: '370000', zh: '山东', en: 'Shandong' },
  { code: '410000', zh: '河南', en: 'Henan' },
  { code: '420000', zh: '湖北', en: 'Hubei' },
  { code: '430000', zh: '湖南', en: 'Hunan' },
  { code: '440000', zh: '广东', en: 'Guangdong' },
  { code: '450000', zh: '广西', en: 'Guangxi' },
  { code: '460000', zh: '海南', en: 'Hainan' },
  { code: '500000', zh: '重庆', en: 'Chongqing' },
  { code: '510000', zh: '四川', en: 'Sichuan' },
  { code: '520000', zh: '贵州', en: 'Guizhou' },
  { code: '530000', zh: '云南', en: 'Yunnan' },
  { code: '540000', zh: '西藏', en: 'Tibet' },
  { code: '610000', zh: '陕西', en: 'Shaanxi' },
  { code: '620000', zh: '甘肃', en: 'Gansu' },
  { code: '630000', zh: '青海', en: 'Qinghai' },
  { code: '640000', zh: '宁夏', en: 'Ningxia' },
  { code: '650000', zh: '新疆', en: 'Xinjiang' },
  { code: '710000', zh: '台湾', en: 'Taiwan' },
  { code: '810000', zh: '香港', en: 'Hong Kong' },
  { code: '820000', zh: '澳门', en: 'Macao' },
] as const satisfies readonly { code: string; zh: string; en: string }[];

export const provinceCodes = provinces.map((province): string => province.code) as [
  string,
  ...string[],
];

/**
 * 辽宁, 吉林, 黑龙江, 内蒙古, 河北, 天津. Requirements §3 mentions six provinces without their names, so this
 * list is the default of a setting (docs/pricing.md).
 */
export const defaultNortheast: readonly string[] = [
  '210000',
  '220000',
  '230000',
  '150000',
  '130000',
  '120000',
];

/** The code of the province to which a division code belongs: '440305' → '440000'. */
export const provinceOf = (code: string): string => `${code.slice(0, 2)}0000`;

/**
 * The short name of the province to which a division code belongs; a code that belongs to no
 * province is returned unchanged.
 */
export const provinceName = (code: string, language: 'zh' | 'en'): string =>
  provinces.find((province) => province.code === provinceOf(code))?.[language] ?? code;
