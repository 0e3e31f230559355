import type { Division } from '@waystation/contract/parcels/divisions.ts';
import type { ImportField } from '@waystation/contract/imports/import.ts';
import { present } from '@waystation/contract/base/present.ts';
import { divisions } from '#domain/address/address.ts';
import type { Work } from '#platform/db/db.ts';
import { writeWorkbook } from '#domain/workbook/workbook.ts';
import type { CellValue, SheetChoices } from '#domain/workbook/workbook.ts';
import { fieldTitles } from './field-titles.ts';
import { whole } from './files.ts';
import type { ImportReferences } from './row-checks.ts';
import { distinctName } from './product-names.ts';
import { goodsOffered, promisesOffered, referencesOf } from './references.ts';

type Language = 'zh' | 'en';
type Lists = Partial<Record<ImportField, readonly string[]>>;

const { provinces } = divisions;
const cities = provinces.flatMap((province) => province.children);
const counties = cities.flatMap((city) => city.children);
const namesOf = (named: readonly Pick<Division, 'name'>[]): string[] =>
  named.map(({ name }) => name);
/**
 * The choices of cities and districts depend on the province and city that are chosen in the row.
 */
const places: Lists = {
  receive_province: namesOf(provinces),
  receive_city: namesOf(cities),
  receive_county: namesOf(counties),
};
const within: Partial<
  Record<ImportField, { of: readonly ImportField[]; texts: readonly string[][] }>
> = {
  receive_city: {
    of: ['receive_province'],
    texts: cities.map(({ parent }) => [present(parent).name]),
  },
  receive_county: {
    of: ['receive_province', 'receive_city'],
    texts: counties.map(({ parent }) => [
      present(present(parent).parent).name,
      present(parent).name,
    ]),
  },
};

/**
 * A unique name for each product, so that a row with this name means the product of exactly one
 * carrier.
 */
const promiseNames = (promises: ImportReferences['promises'], language: Language): string[] => [
  ...new Set(promises.map((product) => distinctName(product, promises, language))),
];

/**
 * The choices in the template's columns: places and goods, and delivery times if the station may
 * choose them.
 */
const listsOf = async (
  work: Work,
  station_id: number | null,
  language: Language,
): Promise<Lists> => {
  if (station_id === null)
    return {
      ...places,
      goods: namesOf(await goodsOffered(work)),
      promise_id: promiseNames(await promisesOffered(work), language),
    };
  const { references } = await referencesOf(work, station_id);
  const goods = namesOf(references.goods.filter(({ banned }) => banned === 0));
  return {
    ...places,
    goods,
    promise_id: references.allow_select === 1 ? promiseNames(references.promises, language) : [],
  };
};

/** Columns of the template, with two recognisable examples each. */
const columns: readonly (readonly [ImportField, string, string])[] = [
  ['receive_name', '示例收件人甲', '示例收件人乙'],
  ['receive_phone', '13800000000', '0755-26000000'],
  ['receive_province', '广东省', '上海市'],
  ['receive_city', '深圳市', '上海市'],
  ['receive_county', '南山区', '浦东新区'],
  ['receive_address', '示例路 1 号', '示例路 2 号'],
  ['goods', '文件', '文件'],
  ['weight', '1', '2.5'],
  ['package_count', '1', '1'],
  ['promise_id', '', ''],
  ['guarantee_value_amount', '', '500'],
  ['thr_order_id', '示例 1', '示例 2'],
  ['remark', '', ''],
  ['description', '', ''],
];

/**
 * The columns of the template with their lists of choices. If a list depends on other columns,
 * `within` contains these columns.
 */
const choicesOf = (lists: Lists): SheetChoices[] =>
  columns.map(([field], column) => {
    const { of, texts } = within[field] ?? {};
    return {
      column,
      values: lists[field] ?? [],
      ...(of &&
        texts && {
          within: { columns: of.map((one) => columns.findIndex(([name]) => name === one)), texts },
        }),
    };
  });

/**
 * An empty sheet with its titles, lists of the station's choices, and two examples. Without a
 * station, the lists have the choices of all stations.
 */
export const templateFile = (
  work: Work,
  station_id: number | null,
  language: Language,
): Promise<Buffer> =>
  work.asSystem('promises of a station', async (system) => {
    const lists = await listsOf(system, station_id, language);
    async function* examples(): AsyncGenerator<CellValue[]> {
      for (const at of [1, 2] as const)
        yield columns.map(([field, ...texts]) => {
          const offered = lists[field] ?? [];
          const text = present(texts[at - 1]);
          // Without a station, the examples have no delivery time, because stations have different
          // ones.
          if (station_id === null && field === 'promise_id') return '';
          // If the station does not offer the goods or delivery time of the example, the example
          // uses an offered one.
          return offered.length > 0 && !offered.includes(text)
            ? offered[(at - 1) % offered.length]!
            : text;
        });
    }
    return whole(
      writeWorkbook('xlsx', {
        name: { zh: '导入运单', en: 'Import parcels' }[language],
        columns: columns.map(([field]) => ({ title: fieldTitles[field][language], kind: 'text' })),
        rows: examples(),
        choices: choicesOf(lists),
      }),
    );
  });
