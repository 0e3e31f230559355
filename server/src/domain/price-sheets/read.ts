import { mostPriceSheetBytes, mostPriceSheetRows } from '@waystation/contract/base/limits.ts';
import { mostAreas, mostOrigins, mostZones } from '@waystation/contract/money/voucher-content.ts';
import type { Origin, Zone } from '@waystation/contract/money/voucher-content.ts';
import type { PriceSheet } from '@waystation/contract/money/voucher.ts';
import { provinceName } from '@waystation/contract/parcels/provinces.ts';
import { readEditedSheet, sheetCells } from '#domain/edited-sheets/edited-sheets.ts';
import type { SheetFile } from '#domain/edited-sheets/edited-sheets.ts';
import type { SheetRow } from '#domain/workbook/workbook.ts';
import { failFields } from '#platform/fail.ts';
import { columnOf, neededColumns } from './columns.ts';
import type { Language } from './columns.ts';
import { cityCodeOf, provinceCodeOf, sendersOf } from './places.ts';
import { pricesOf } from './row.ts';
import type { Refuse, RowPrices } from './row.ts';

type Problem = PriceSheet['problems'][number];

/**
 * The rows of one group of senders: the line in the file for each receiver region, and the zone for
 * each set of prices.
 */
interface Group {
  provinces: string[];
  line: number;
  areas: Map<string, number>;
  zones: Map<string, Zone>;
}

export interface ReadPrices {
  origins: Origin[];
  rows: number;
  problems: Problem[];
  problems_total: number;
}

const isHeader = ({ cells }: SheetRow): boolean => {
  const keys = new Set(cells.map((title) => columnOf(title)?.key));
  return keys.has('province') && (keys.has('first.price') || keys.has('first.max_g'));
};

const failTitles = (columns: typeof neededColumns, language: Language): never =>
  failFields({
    file: {
      code: 'price_sheet_titles',
      params: {
        names: columns.map((column) => column[language]).join(language === 'zh' ? '、' : ', '),
      },
    },
  });

/** Collects the groups of senders of a sheet, and refuses more groups or areas than are allowed. */
const createGroups = () => {
  const groups = new Map<string, Group>();
  const groupOf = (provinces: string[], line: number): Group => {
    const key = provinces.toSorted().join();
    const known = groups.get(key);
    if (known) return known;
    const group: Group = { provinces, line, areas: new Map(), zones: new Map() };
    groups.set(key, group);
    if (groups.size > mostOrigins)
      failFields({
        file: { code: 'price_sheet_too_many_senders', params: { limit: mostOrigins } },
      });
    return group;
  };
  const put = (group: Group, area: string, prices: RowPrices): void => {
    const key = JSON.stringify(prices);
    const zone = group.zones.get(key);
    if (zone) zone.areas.push(area);
    else group.zones.set(key, { ...prices, areas: [area] });
    if (group.zones.size > mostZones)
      failFields({
        file: {
          code: 'price_sheet_too_many_zones',
          params: { line: group.line, limit: mostZones },
        },
      });
    if ((zone?.areas.length ?? 1) > mostAreas)
      failFields({
        file: {
          code: 'price_sheet_too_many_areas',
          params: { line: group.line, limit: mostAreas },
        },
      });
  };
  const origins = (): Origin[] =>
    [...groups.values()].map(({ provinces, zones }) => ({
      provinces,
      zones: [...zones.values()],
    }));
  return { groupOf, put, origins };
};

/** Reads the rows below the titles. */
const sheetReader = (header: SheetRow, language: Language) => {
  const { found, fields, textOf, add } = sheetCells<string>(header, {
    fieldOf: (title) => columnOf(title)?.key,
    codes: { repeated: 'price_sheet_title_repeated', unknown: 'price_sheet_title_unknown' },
  });
  const { groupOf, put, origins } = createGroups();
  let priced = 0;
  const missing = neededColumns.filter(({ key }) => !fields.has(key));
  if (missing.length > 0) failTitles(missing, language);

  const read = (row: SheetRow): void => {
    const { line } = row;
    const cells = (key: string): string => textOf(row, key);
    const before = found.problems_total;
    const refuse: Refuse = (key, code, params = {}) => {
      add(line, key, cells(key), { code, params });
      return null;
    };
    const prices = pricesOf(cells, refuse);
    // A row without prices is ignored, even if its region is missing or wrong.
    if (prices === null && found.problems_total === before) return;
    const senders = sendersOf(cells('senders'));
    if ('unknown' in senders)
      return void refuse('senders', 'price_sheet_senders', { name: senders.unknown });
    const province = provinceCodeOf(cells('province'));
    if (province === undefined) return void refuse('province', 'price_sheet_province');
    const area = cells('city') === '' ? province : cityCodeOf(province, cells('city'));
    if (area === undefined)
      return void refuse('city', 'price_sheet_city', {
        province: provinceName(province, language),
      });
    const group = groupOf(senders.provinces, line);
    const earlier = group.areas.get(area);
    if (earlier !== undefined)
      return void refuse(cells('city') === '' ? 'province' : 'city', 'price_sheet_repeated', {
        line: earlier,
      });
    group.areas.set(area, line);
    priced++;
    if (prices !== null && found.problems_total === before) put(group, area, prices);
  };
  const end = (): ReadPrices => ({ origins: origins(), rows: priced, ...found });
  return { read, end };
};

/**
 * Reads the price sheet of a template that a user edited. Throws a Failure if the file is of
 * another kind; the cells that cannot be read are all returned as problems.
 */
export const readPriceSheet = async (
  file: SheetFile,
  { language, isBusy }: { language: Language; isBusy: () => boolean },
): Promise<ReadPrices> => {
  const limits = {
    bytes: { most: mostPriceSheetBytes, code: 'price_sheet_too_large' },
    rows: {
      most: mostPriceSheetRows,
      code: 'price_sheet_too_many_rows',
      params: { limit: mostPriceSheetRows },
    },
  } as const;
  const reader = await readEditedSheet(file, limits, isBusy, (row) =>
    isHeader(row) ? sheetReader(row, language) : null,
  );
  if (!reader) return failTitles(neededColumns, language);
  const found = reader.end();
  if (found.rows === 0 && found.problems_total === 0)
    failFields({ file: { code: 'price_sheet_empty' } });
  return found;
};
