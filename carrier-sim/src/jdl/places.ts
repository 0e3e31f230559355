/**
 * The place of an address, read from its beginning. `city` equals `province` for a municipality.
 */
export type Place = { province: string; city: string; county: string; rest: string };

type Region = '华北' | '东北' | '华东' | '华中' | '华南' | '西南' | '西北' | '港澳台';

const table: readonly (readonly [Region, string])[] = [
  ['华北', '北京市 天津市 河北省 山西省 内蒙古自治区'],
  ['东北', '辽宁省 吉林省 黑龙江省'],
  ['华东', '上海市 江苏省 浙江省 安徽省 福建省 江西省 山东省'],
  ['华中', '河南省 湖北省 湖南省'],
  ['华南', '广东省 广西壮族自治区 海南省'],
  ['西南', '重庆市 四川省 贵州省 云南省 西藏自治区'],
  ['西北', '陕西省 甘肃省 青海省 宁夏回族自治区 新疆维吾尔自治区'],
  ['港澳台', '香港特别行政区 澳门特别行政区 台湾省'],
];

const shortOf = (province: string): string =>
  province.replace(/(?:壮族|回族|维吾尔)?自治区$|特别行政区$|省$|市$/, '');

type Province = { name: string; short: string; region: Region };
const provinces: readonly Province[] = table.flatMap(([region, names]) =>
  names.split(' ').map((name) => ({ name, short: shortOf(name), region })),
);
const byName = new Map(provinces.map((province) => [province.name, province]));
const municipalities = new Set(['北京市', '天津市', '上海市', '重庆市']);
const withoutCities = new Set(['香港特别行政区', '澳门特别行政区']);
const remote = new Set([
  '西藏自治区',
  '新疆维吾尔自治区',
  '香港特别行政区',
  '澳门特别行政区',
  '台湾省',
]);

const cityPattern =
  /^(?:省直辖县级行政区划|自治区直辖县级行政区划|.{1,12}?(?:自治州|地区|林区|盟|市)|.{2,4}?州)/u;
const countyPattern = /^.{1,14}?(?:自治县|自治旗|新区|林区|矿区|[区县旗市])/u;

const afterMunicipality = (province: string, left: string): string => {
  for (const repeated of [province, '市辖区', '县'])
    if (left.startsWith(repeated)) return left.slice(repeated.length);
  return left;
};

/**
 * Reads the province and the city at the beginning of an address. Returns null if one of them is
 * missing, because the carrier refuses such an address.
 */
export const placeOf = (address: string): Place | null => {
  const text = address.replace(/\s+/gu, '');
  const province = provinces.find(
    ({ name, short }) => text.startsWith(name) || text.startsWith(short),
  );
  if (province === undefined) return null;
  const left = text.slice(
    text.startsWith(province.name) ? province.name.length : province.short.length,
  );
  let city = province.name;
  let after = left;
  if (municipalities.has(province.name)) after = afterMunicipality(province.name, left);
  else if (!withoutCities.has(province.name)) {
    const found = cityPattern.exec(left)?.[0];
    if (found === undefined) return null;
    city = found;
    after = left.slice(found.length);
  }
  const county = countyPattern.exec(after)?.[0] ?? '';
  return { province: province.name, city, county, rest: after.slice(county.length) };
};

/**
 * The distance between two places: 0 same city, 1 same province, 2 same region, 3 farther away. It
 * is 4 if one of them is in a remote province.
 */
export type Zone = 0 | 1 | 2 | 3 | 4;
export const zoneBetween = (from: Place, to: Place): Zone => {
  if (from.province === to.province) return from.city === to.city ? 0 : 1;
  if (remote.has(from.province) || remote.has(to.province)) return 4;
  return byName.get(from.province)?.region === byName.get(to.province)?.region ? 2 : 3;
};

/** Returns the short name of a city, as used in names of buildings: 广州 for 广州市. */
export const shortCity = (place: Place): string => {
  const short = place.city.replace(/(?:特别行政区|自治州|地区|林区|盟|市|省)$/u, '');
  return short === '' ? place.city : short;
};
