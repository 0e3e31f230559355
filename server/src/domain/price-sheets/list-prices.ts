import { columnLetters } from '@waystation/contract/base/column-letters.ts';
import { mostPriceSheetProblems } from '@waystation/contract/base/limits.ts';
import type { PriceList } from '@waystation/contract/money/price-list.ts';
import type { SheetRow } from '#domain/workbook/workbook.ts';
import type { Language } from './columns.ts';
import { citiesIn, provincesIn } from './list-places.ts';
import type { ListPlan } from './list-plan.ts';
import { listPricesOf } from './list-row.ts';
import type { ListPrices, RefuseAt } from './list-row.ts';
import { areaName } from './places.ts';

type ListZone = NonNullable<PriceList['zones']>[number];

/** A sheet that will be read, with its name, titles, and the plan for reading its rows. */
interface PlannedSheet {
  name: string;
  titles: readonly string[];
  plan: ListPlan;
}

const zoneOf = (prices: ListPrices, areas: string[]): ListZone =>
  prices.not_served === 1
    ? { has_minimum: 0, zone: { name: '', areas, not_served: 1 } }
    : {
        has_minimum: prices.minimum === null ? 0 : 1,
        zone: { name: '', areas, ...prices, minimum: prices.minimum ?? 0 },
      };

/** Collects problems of cells: only the first ones are listed, but all are counted. */
const problemList = () => {
  const found: Pick<PriceList, 'problems' | 'problems_total'> = { problems: [], problems_total: 0 };
  const refuserOf =
    ({ name, titles }: PlannedSheet, { line, cells }: SheetRow): RefuseAt =>
    (at, code, params = {}) => {
      found.problems_total++;
      if (found.problems.length < mostPriceSheetProblems)
        found.problems.push({
          sheet: name,
          line,
          column: columnLetters(at),
          title: titles[at] ?? '',
          value: cells[at] ?? '',
          reason: { code, params },
        });
      return null;
    };
  return { found, refuserOf };
};

/** Collects provinces in zones of equal prices. */
const zoneList = () => {
  const zones = new Map<string, ListZone>();
  const places = new Map<string, { sheet: string; line: number; key: string }>();
  return {
    zones,
    /**
     * Adds a province with its prices. If the file already contains the province with other prices,
     * returns the earlier place.
     */
    add: (area: string, prices: ListPrices, place: { sheet: string; line: number }) => {
      const key = JSON.stringify(prices);
      const earlier = places.get(area);
      if (earlier) return earlier.key === key ? null : earlier;
      places.set(area, { ...place, key });
      const zone = zones.get(key);
      if (zone) zone.zone.areas.push(area);
      else zones.set(key, zoneOf(prices, [area]));
      return null;
    },
  };
};

/** The provinces in the province cell of a row or, if the row has a city, its cities. */
const placesOf = (
  { places }: ListPlan,
  { cells }: SheetRow,
  cell: string,
): { areas: string[] } | { unknown: string; at?: number } => {
  const provinces = provincesIn(cell);
  const at = places.get('city');
  const city = at === undefined ? '' : (cells[at] ?? '').trim();
  if (at === undefined || city === '' || 'unknown' in provinces) return provinces;
  const [province, ...others] = provinces.areas;
  const found = others.length === 0 && province !== undefined ? citiesIn(province, city) : null;
  return found && 'areas' in found ? found : { unknown: city, at };
};

/**
 * Reads the rows of all sheets into prices for each province, and records a problem for each wrong
 * cell.
 */
export const listReader = (language: Language) => {
  const { found, refuserOf } = problemList();
  const { zones, add } = zoneList();
  let rows = 0;
  const read = (sheet: PlannedSheet, row: SheetRow): void => {
    const before = found.problems_total;
    const refuse = refuserOf(sheet, row);
    const at = sheet.plan.places.get('province') ?? 0;
    const cell = row.cells[at] ?? '';
    // A printed list repeats its titles on each page; such a row is ignored.
    if (cell !== '' && cell === sheet.titles[at]) return;
    const prices = listPricesOf(sheet.plan, row.cells, refuse);
    if (prices === null && found.problems_total === before) return;
    if (cell === '') return void refuse(at, 'price_sheet_missing');
    const places = placesOf(sheet.plan, row, cell);
    if ('unknown' in places)
      return void refuse(places.at ?? at, 'price_list_province', { name: places.unknown });
    rows++;
    if (prices === null || found.problems_total > before) return;
    for (const area of places.areas) {
      const other = add(area, prices, { sheet: sheet.name, line: row.line });
      if (other)
        refuse(at, 'price_list_repeated', {
          province: areaName(area, language),
          sheet: other.sheet,
          line: other.line,
        });
    }
  };
  const end = () => ({
    zones: found.problems_total > 0 ? null : [...zones.values()],
    rows,
    ...found,
  });
  return { read, end };
};
