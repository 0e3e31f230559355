import { fullAddress, pathOf, placeNames } from '@waystation/contract/parcels/divisions.ts';
import type { Division } from '@waystation/contract/parcels/division.ts';
import { addressCandidate } from '@waystation/contract/parcels/address.schema.ts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { divisions, parseAddress } from './address.ts';

const leaves = divisions.all.filter((division) => division.children.length === 0);
const leaf = fc.constantFrom(...leaves);
const name = fc.constantFrom('张三', '李四', '王小明', '赵六', '欧阳小明', '陈女士');
const phone = fc.stringMatching(/^1[3-9]\d{9}$/);
const street = fc.constantFrom(
  '示例路1号',
  '解放东路88号3栋2单元501室',
  '中山路7号',
  '示例镇样例村3组',
  '科技大厦A座1203',
  '滨河路100号（东门）',
);
const gap = fc.constantFrom(' ', '，', ',', '\n', '\t', ' | ', '；', '  ');

const levelsOf = (division: Division) =>
  pathOf(division).filter((each) => each.name !== each.parent?.name);

describe('An address written in full', () => {
  test('an address written in full is parsed with any separators between its parts and in any order', () => {
    fc.assert(
      fc.property(
        fc.record({ place: leaf, who: name, number: phone, where: street }),
        gap,
        fc.constantFrom('', ' ', '-', '/'),
        fc.constantFrom(0, 1, 2, 3, 4),
        ({ place, who, number, where }, between, inside, order) => {
          const region = levelsOf(place)
            .map((each) => each.name)
            .join(inside);
          const address = `${region}${inside}${where}`;
          const orders = [
            [who, number, address],
            [address, who, number],
            [number, who, address],
            [who, address, number],
            [address, number, who],
          ];
          const { candidates } = parseAddress(orders[order]!.join(between));
          expect(candidates).toHaveLength(1);
          expect(candidates[0]).toMatchObject({
            ...placeNames(place),
            name: who,
            phone: number,
            extension: '',
            address: where,
          });
        },
      ),
      { numRuns: 2000 },
    );
  });

  test('an address is parsed to the same county if the province and city names lack their suffixes', () => {
    // A county is left out if its name without suffix is shared by several counties of its city,
    // because that name is ambiguous.
    const telling = leaves.filter(
      (place) =>
        place.parent!.children.filter((each) => each.short === place.short).length === 1 &&
        place.short !== place.parent!.short,
    );
    fc.assert(
      fc.property(fc.constantFrom(...telling), name, phone, (place, who, number) => {
        const levels = levelsOf(place);
        const region = levels
          .map((each, at) => (at < levels.length - 1 ? each.short : each.name))
          .join('');
        const [candidate] = parseAddress(`${who} ${number} ${region}示例路1号`).candidates;
        expect(candidate).toMatchObject({ ...placeNames(place), name: who, address: '示例路1号' });
      }),
      { numRuns: 1000 },
    );
  });

  test('an address that repeats its province, city and county is parsed as if they were written once', () => {
    fc.assert(
      fc.property(leaf, street, (place, where) => {
        const line = fullAddress({ ...placeNames(place), address: '' });
        expect(parseAddress(`张三 13800000001 ${line}${line}${where}`).candidates[0]).toMatchObject(
          { ...placeNames(place), address: where },
        );
      }),
      { numRuns: 1000 },
    );
  });

  test('a pasted text with several people and their addresses gives one candidate for each person', () => {
    const person = fc.record({ place: leaf, who: name, number: phone, where: street });
    fc.assert(
      fc.property(
        fc.array(person, { minLength: 2, maxLength: 8 }),
        fc.constantFrom('\n', '\n\n', '；', '\n---\n'),
        (people, between) => {
          const lines = people.map(
            ({ place, who, number, where }) =>
              `${who},${number},${fullAddress({ ...placeNames(place), address: where })}`,
          );
          const { candidates } = parseAddress(lines.join(between));
          expect(
            candidates.map((each) => [
              each.name,
              each.phone,
              each.county || each.city,
              each.address,
            ]),
          ).toEqual(
            people.map(({ place, who, number, where }) => [who, number, place.name, where]),
          );
        },
      ),
      { numRuns: 300 },
    );
  });
});

describe('Parsing any text', () => {
  const words = fc.constantFrom(
    ...'省市区县路号张王李广东深圳吉林海南北京新华重庆中国电话姓名地址备注收货人:：,，;；|/-_+()（）[]【】*#. \n\t0123456789１２转'.split(
      '',
    ),
    '13800000001',
    '0755-26000000',
    '广东省',
    '新华区',
    '😀',
    '\ud83d',
    '\u200b',
    '\u0000',
  );
  test.each([
    [
      'of words that mean something',
      fc.array(words, { maxLength: 200 }).map((list) => list.join('')),
    ],
    ['of any characters', fc.string({ unit: 'binary', maxLength: 300 })],
    ['of any characters a person can type', fc.string({ unit: 'grapheme', maxLength: 300 })],
  ])('%s is parsed without failing into candidates of the contract’s type', (_, texts) => {
    fc.assert(
      fc.property(texts, (text) => {
        for (const candidate of parseAddress(text).candidates) {
          expect(addressCandidate.safeParse(candidate).error).toBeUndefined();
          expect(candidate.phone).not.toContain('*');
          for (const key of ['name', 'phone', 'province', 'city'] as const)
            expect(candidate.confidence[key] === 0).toBe(candidate[key] === '');
        }
      }),
      { numRuns: 3000 },
    );
  });
});
