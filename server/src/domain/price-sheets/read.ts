import { columnLetters } from '@waystation/contract/column-letters.ts';
import { mostPriceSheetBytes, mostPriceSheetProblems, mostPriceSheetRows } from '@waystation/contract/limits.ts';
import { mostAreas, mostOrigins, mostZones } from '@waystation/contract/voucher-content.ts';
import type { Origin, Zone } from '@waystation/contract/voucher-content.ts';
import type { PriceSheet } from '@waystation/contract/voucher.ts';
import { provinceName } from '@waystation/contract/provinces.ts';
import { UnreadableFile, formatOf, readSheet } from '#domain/workbook/workbook.ts';
import type { SheetRow } from '#domain/workbook/workbook.ts';
import { fail, failFields } from '#platform/fail.ts';
import { columnOf, neededColumns } from './columns.ts';
import type { Language } from './columns.ts';
import { cityCodeOf, provinceCodeOf, sendersOf } from './places.ts';
import { pricesOf } from './row.ts';
import type { Refuse, RowPrices } from './row.ts';

/** Rows above the titles that may hold a heading. */
const lookAhead = 20;

type Problem = PriceSheet['problems'][number];

/** One group of senders: the regions by code with the row they are in, and their prices put together by what they are. */
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

/** Reads rows after the titles; what is wrong is collected, so that a person can correct all of it at once. */
const sheetReader = (header: SheetRow, language: Language) => {
  const problems: Problem[] = [];
  const groups = new Map<string, Group>();
  let problems_total = 0;
  let priced = 0;
  const places = new Map<string, number>();
  const refuseAt = (line: number, at: number, value: string, reason: Problem['reason']): void => {
    problems_total++;
    if (problems.length < mostPriceSheetProblems) problems.push({ line, column: columnLetters(at), title: header.cells[at] ?? '', value, reason });
  };
  for (const [at, title] of header.cells.entries()) {
    if (title === '') continue;
    const column = columnOf(title);
    if (column === undefined || places.has(column.key))
      refuseAt(header.line, at, title, { code: column ? 'price_sheet_title_repeated' : 'price_sheet_title_unknown', params: {} });
    else places.set(column.key, at);
  }
  const missing = neededColumns.filter(({ key }) => !places.has(key));
  if (missing.length > 0)
    failFields({ file: { code: 'price_sheet_titles', params: { names: missing.map((column) => column[language]).join(language === 'zh' ? '、' : ', ') } } });

  const groupOf = (provinces: string[], line: number): Group => {
    const key = provinces.toSorted().join();
    const known = groups.get(key);
    if (known) return known;
    const group: Group = { provinces, line, areas: new Map(), zones: new Map() };
    groups.set(key, group);
    if (groups.size > mostOrigins) failFields({ file: { code: 'price_sheet_too_many_senders', params: { limit: mostOrigins } } });
    return group;
  };
  const put = (group: Group, area: string, prices: RowPrices): void => {
    const key = JSON.stringify(prices);
    const zone = group.zones.get(key);
    if (zone) zone.areas.push(area);
    else group.zones.set(key, { ...prices, areas: [area] });
    if (group.zones.size > mostZones) failFields({ file: { code: 'price_sheet_too_many_zones', params: { line: group.line, limit: mostZones } } });
    if ((zone?.areas.length ?? 1) > mostAreas) failFields({ file: { code: 'price_sheet_too_many_areas', params: { line: group.line, limit: mostAreas } } });
  };
  const read = ({ cells: texts, line }: SheetRow): void => {
    const cells = (key: string): string => texts[places.get(key) ?? -1] ?? '';
    const before = problems_total;
    const refuse: Refuse = (key, code, params = {}) => {
      refuseAt(line, places.get(key) ?? 0, cells(key), { code, params });
      return null;
    };
    const prices = pricesOf(cells, refuse);
    // A region without prices needs no place.
    if (prices === null && problems_total === before) return;
    const senders = sendersOf(cells('senders'));
    if ('unknown' in senders) return void refuse('senders', 'price_sheet_senders', { name: senders.unknown });
    const province = provinceCodeOf(cells('province'));
    if (province === undefined) return void refuse('province', 'price_sheet_province');
    const area = cells('city') === '' ? province : cityCodeOf(province, cells('city'));
    if (area === undefined) return void refuse('city', 'price_sheet_city', { province: provinceName(province, language) });
    const group = groupOf(senders.provinces, line);
    const earlier = group.areas.get(area);
    if (earlier !== undefined) return void refuse(cells('city') === '' ? 'province' : 'city', 'price_sheet_repeated', { line: earlier });
    group.areas.set(area, line);
    priced++;
    if (prices !== null && problems_total === before) put(group, area, prices);
  };
  const end = (): ReadPrices => ({
    origins: [...groups.values()].map(({ provinces, zones }) => ({ provinces, zones: [...zones.values()] })),
    rows: priced,
    problems,
    problems_total,
  });
  return { read, end };
};

/** Reads an edited price list. Throws the refusal of a file that is none; cells that cannot be read are answered, all of them. */
export const readPriceSheet = async (
  file: { name: string; bytes: Buffer },
  { language, isBusy }: { language: Language; isBusy: () => boolean },
): Promise<ReadPrices> => {
  if (file.bytes.length === 0) failFields({ file: { code: 'file_empty' } });
  if (file.bytes.length > mostPriceSheetBytes) fail('price_sheet_too_large', { limit: mostPriceSheetBytes / 1024 / 1024 });
  const format = formatOf(file);
  if (typeof format !== 'string') return failFields({ file: { code: format.refused } });
  let reader: ReturnType<typeof sheetReader> | null = null;
  let rows = 0;
  try {
    for await (const row of readSheet(format, file.bytes, { isBusy })) {
      if (++rows > mostPriceSheetRows) failFields({ file: { code: 'price_sheet_too_many_rows', params: { limit: mostPriceSheetRows } } });
      if (reader) reader.read(row);
      else if (isHeader(row)) reader = sheetReader(row, language);
      else if (rows === lookAhead) break;
    }
  } catch (error) {
    if (error instanceof UnreadableFile) failFields({ file: { code: error.code, params: error.params } });
    throw error;
  }
  if (!reader)
    return failFields({
      file: { code: 'price_sheet_titles', params: { names: neededColumns.map((column) => column[language]).join(language === 'zh' ? '、' : ', ') } },
    });
  const found = reader.end();
  if (found.rows === 0 && found.problems_total === 0) failFields({ file: { code: 'price_sheet_empty' } });
  return found;
};
