/**
 * Generates src/platform/pinyin-readings.json: `node tools/make-pinyin.mjs <pinyin-pro 3 folder>`.
 * The package is not a dependency, because its dictionary of phrases takes 30 times the memory of
 * the readings.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const [folder] = process.argv.slice(2);
const { pinyin } = await import(pathToFileURL(join(folder, 'dist', 'index.mjs')).href);
const readingsOf = (text, options = {}) =>
  pinyin(text, { toneType: 'none', type: 'array', v: true, ...options }).map((one) =>
    one.replaceAll('ü', 'v'),
  );

/** Words that give a frequent character another reading than alone. */
const words =
  '银行 行业 商行 音乐 乐器 长江 重庆 重工 大厦 厦门 会计 校长 成长 调味 调料 便宜 朝阳 给水 角色 觉得 人参 西藏 宝藏 传记 大夫 供应 数码 薄荷 弹簧 调试 率先 效率 模具 模型 粘贴 提供 曾经 车站 处理 当铺 都市 佛山 干净 干果 更新 柜台 还有 旅行 重新 种子 作坊 着装 几何 校服 茄子 番茄 番禺 尉迟 万俟 澹台 长孙 宿州 解放 折扣 什么 家什 石头 否定'.split(
    ' ',
  );

const usual = new Map([['〇', 'ling']]);
for (let code = 0x3400; code < 0xa000; code++) {
  const character = String.fromCodePoint(code);
  const [reading] = readingsOf(character);
  if (/^[a-z]+$/.test(reading)) usual.set(character, reading);
}

const further = new Map();
const add = (character, reading) => {
  if (!usual.has(character) || usual.get(character) === reading || !/^[a-z]+$/.test(reading))
    return;
  further.set(character, (further.get(character) ?? new Set()).add(reading));
};
for (const character of usual.keys()) add(character, readingsOf(character, { surname: 'all' })[0]);
const divisions = readFileSync(
  join(import.meta.dirname, '../../contract/src/parcels/divisions.json'),
  'utf8',
);
for (const word of [...new Set(divisions.match(/\p{Script=Han}{2,}/gu)), ...words]) {
  const readings = readingsOf(word);
  for (const [at, character] of [...word].entries()) add(character, readings[at]);
}

/** The characters of each reading. */
const grouped = (pairs) => {
  const groups = {};
  for (const [character, reading] of pairs) (groups[reading] ??= []).push(character);
  return Object.fromEntries(
    Object.keys(groups)
      .toSorted()
      .map((reading) => [reading, groups[reading].join('')]),
  );
};
writeFileSync(
  join(import.meta.dirname, '../src/platform/pinyin-readings.json'),
  `${JSON.stringify({
    about: { source: 'pinyin-pro 3.29.4 (MIT), by server/tools/make-pinyin.mjs' },
    usual: grouped(usual),
    further: grouped(
      [...further].flatMap(([character, readings]) => [...readings].map((one) => [character, one])),
    ),
  })}\n`,
);
