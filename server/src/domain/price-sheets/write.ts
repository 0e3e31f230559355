import { provinceName, provinceOf } from '@waystation/contract/parcels/provinces.ts';
import { regions } from '@waystation/contract/parcels/regions.ts';
import type { Origin, Zone } from '@waystation/contract/money/voucher-content.ts';
import { divisions } from '#domain/address/address.ts';
import { writeWorkbook } from '#domain/workbook/workbook.ts';
import type { CellValue } from '#domain/workbook/workbook.ts';
import { closedWord, columnsOf, otherSenders } from './columns.ts';
import type { Language } from './columns.ts';

const inOrder: readonly string[] = regions.flatMap(({ provinces }) => provinces);

/** The short name of a city, or its code if the code stands for several places. */
const cityText = (area: string): string =>
  area === provinceOf(area) ? '' : (divisions.byCode.get(area)?.short ?? area);

/**
 * All provinces in their usual order, even without prices. Each is followed by those of its cities
 * that have separate prices.
 */
const areasOf = (priced: ReadonlyMap<string, Zone>): string[] =>
  inOrder.flatMap((province) => [
    province,
    ...[...priced.keys()]
      .filter((area) => area !== province && provinceOf(area) === province)
      .toSorted(),
  ]);

const cellsOf = (zone: Zone | undefined, language: Language): Record<string, CellValue> => {
  if (!zone) return {};
  if (zone.not_served) return { name: zone.name, 'first.price': closedWord[language] };
  const brackets = zone.brackets.flatMap(({ up_to_g, step_g, price }, index) => [
    [`brackets.${index}.up_to_g`, up_to_g] as const,
    [`brackets.${index}.step_g`, step_g] as const,
    [`brackets.${index}.price`, price] as const,
  ]);
  return {
    name: zone.name,
    'first.max_g': zone.first.max_g,
    'first.price': zone.first.price,
    ...Object.fromEntries(brackets),
    minimum: zone.minimum === 0 ? null : zone.minimum,
  };
};

/**
 * Writes a template's prices as XLSX, with a row for each region of each group of senders. Returns
 * the file and the number of its rows.
 */
export const writePriceSheet = async (
  { origins }: { origins: readonly Origin[] },
  language: Language,
): Promise<{ body: Uint8Array; rows: number }> => {
  const brackets = Math.max(
    1,
    ...origins.flatMap(({ zones }) =>
      zones.map((zone) => (zone.not_served ? 0 : zone.brackets.length)),
    ),
  );
  const columns = columnsOf(brackets);
  const separator = language === 'zh' ? '、' : ', ';
  let count = 0;
  async function* rows() {
    for (const { provinces, zones } of origins.length > 0
      ? origins
      : [{ provinces: [], zones: [] }]) {
      const senders =
        provinces.length === 0
          ? otherSenders[language]
          : provinces.map((code) => provinceName(code, language)).join(separator);
      // If two zones have the same region, the first zone counts, as in pricing.
      const priced = new Map(
        zones.toReversed().flatMap((zone) => zone.areas.map((area) => [area, zone] as const)),
      );
      for (const area of areasOf(priced)) {
        const cells: Record<string, CellValue> = {
          senders,
          province: provinceName(area, language),
          city: cityText(area),
          ...cellsOf(priced.get(area), language),
        };
        count++;
        yield columns.map(({ key }) => cells[key] ?? null);
      }
    }
  }
  const pieces: Uint8Array[] = [];
  const sheet = {
    name: language === 'zh' ? '价格' : 'Prices',
    columns: columns.map((column) => ({ title: column[language], kind: column.kind })),
    rows: rows(),
  };
  for await (const piece of writeWorkbook('xlsx', sheet)) pieces.push(piece);
  return { body: Buffer.concat(pieces), rows: count };
};
