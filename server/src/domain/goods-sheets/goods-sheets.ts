/** Sheets of goods as people edit them: the columns of an export, read back. */
import { columnLetters } from '@waystation/contract/column-letters.ts';
import { cargoTypes } from '@waystation/contract/cargo.ts';
import type { CargoValues } from '@waystation/contract/cargo.ts';
import type { ErrorCode } from '@waystation/contract/errors.ts';
import type { Params } from '@waystation/contract/envelope.ts';
import {
  bannedReasonLength,
  mostCargoSheetBytes,
  mostCargoSheetRows,
  mostPriceSheetProblems,
  mostPriority,
  shortNameLength,
} from '@waystation/contract/limits.ts';
import { offeredProviders, providers } from '@waystation/contract/provider.ts';
import type { SheetProblem } from '@waystation/contract/sheet.schema.ts';
import { UnreadableFile, formatOf, readSheet } from '#domain/workbook/workbook.ts';
import type { SheetRow } from '#domain/workbook/workbook.ts';
import { fail, failFields } from '#platform/fail.ts';

type Language = 'zh' | 'en';
type Field = keyof CargoValues;
type Refuse = (field: Field, code: Extract<ErrorCode, `cargo_sheet_${string}`>, params?: Params) => undefined;

/** What a row says: a field whose cell is empty, or that has no column, is absent. */
export interface GoodsRow {
  line: number;
  said: Partial<CargoValues> & Pick<CargoValues, 'name' | 'provider'>;
}

export interface ReadGoods {
  rows: GoodsRow[];
  problems: SheetProblem[];
  problems_total: number;
}

/** Rows above the titles that may hold a heading. */
const lookAhead = 20;

/** Titles of an export in both languages, and what else people call them. Null: calculated, so that it is not read. */
const titles: Readonly<Record<string, Field | null>> = {
  名称: 'name',
  物品: 'name',
  物品名称: 'name',
  品名: 'name',
  name: 'name',
  goods: 'name',
  类型: 'type',
  type: 'type',
  承运商: 'provider',
  carrier: 'provider',
  优先级: 'priority',
  priority: 'priority',
  禁止寄递: 'banned',
  禁寄: 'banned',
  maynotbeshipped: 'banned',
  banned: 'banned',
  禁寄原因: 'banned_reason',
  reason: 'banned_reason',
  状态: 'status',
  status: 'status',
  id: null,
  近30天: null,
  last30days: null,
  创建时间: null,
  created: null,
  更新时间: null,
  updated: null,
};

const plain = (text: string): string => text.normalize('NFKC').trim().toLowerCase();
const fieldOf = (title: string): Field | null | undefined => {
  const key = plain(title).replaceAll(/\s+/g, '');
  return Object.hasOwn(titles, key) ? titles[key] : undefined;
};

/** The code of a value by its words in either language, or by itself. */
const codeIn = <Code extends string>(known: Readonly<Record<Code, { zh: string; en: string }>>, text: string): Code | undefined =>
  (Object.keys(known) as Code[]).find((code) => [code, known[code].zh, known[code].en].some((word) => plain(word) === plain(text)));

const flagWords: Readonly<Record<string, 0 | 1>> = { 是: 1, yes: 1, '1': 1, 禁寄: 1, banned: 1, 否: 0, no: 0, '0': 0, 可寄: 0, allowed: 0 };
const statusWords: Readonly<Record<string, 0 | 1>> = { 启用: 1, enabled: 1, '1': 1, 停用: 0, disabled: 0, '0': 0 };

const readers = (cell: (field: Field) => string, refuse: Refuse, language: Language) => ({
  text: (field: 'name' | 'banned_reason', limit: number) =>
    [...cell(field)].length > limit ? refuse(field, 'cargo_sheet_length', { limit }) : cell(field) || undefined,
  type: () => {
    const code = cell('type') === '' ? null : codeIn(cargoTypes as Readonly<Record<string, { zh: string; en: string }>>, cell('type'));
    return code === null ? undefined : code === undefined ? refuse('type', 'cargo_sheet_type') : Number(code);
  },
  provider: () => {
    const code = cell('provider') === '' ? offeredProviders[0]! : codeIn(providers, cell('provider'));
    const names = offeredProviders.map((each) => providers[each][language]).join(language === 'zh' ? '、' : ', ');
    return code ?? refuse('provider', 'cargo_sheet_provider', { names });
  },
  priority: () => {
    if (cell('priority') === '') return undefined;
    const text = plain(cell('priority'));
    return /^\d{1,5}$/.test(text) && Number(text) <= mostPriority ? Number(text) : refuse('priority', 'cargo_sheet_priority', { limit: mostPriority });
  },
  flag: (field: 'banned' | 'status', known: Readonly<Record<string, 0 | 1>>, code: 'cargo_sheet_flag' | 'cargo_sheet_status') =>
    cell(field) === '' ? undefined : Object.hasOwn(known, plain(cell(field))) ? known[plain(cell(field))] : refuse(field, code),
});

/** Without the fields that were not said, so that what there is stays. */
const withoutAbsent = <T extends object>(values: T) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as { [K in keyof T]?: Exclude<T[K], undefined> };

/** Reads rows after the titles; what is wrong is collected, so that a person can correct all of it at once. */
const sheetReader = (header: SheetRow, language: Language) => {
  const problems: SheetProblem[] = [];
  const rows: GoodsRow[] = [];
  const places = new Map<Field, number>();
  const known = new Map<string, number>();
  let problems_total = 0;
  const refuseAt = (line: number, at: number, value: string, reason: SheetProblem['reason']): void => {
    problems_total++;
    if (problems.length < mostPriceSheetProblems) problems.push({ line, column: columnLetters(at), title: header.cells[at] ?? '', value, reason });
  };
  for (const [at, title] of header.cells.entries()) {
    const field = fieldOf(title);
    if (title === '' || field === null) continue;
    if (field === undefined || places.has(field))
      refuseAt(header.line, at, title, { code: field ? 'cargo_sheet_title_repeated' : 'cargo_sheet_title_unknown', params: {} });
    else places.set(field, at);
  }
  const read = ({ cells, line }: SheetRow): void => {
    const cell = (field: Field): string => (cells[places.get(field) ?? -1] ?? '').trim();
    if ([...places.keys()].every((field) => cell(field) === '')) return;
    const refuse: Refuse = (field, code, params = {}) => refuseAt(line, places.get(field) ?? 0, cell(field), { code, params }) as undefined;
    const { text, type, provider, priority, flag } = readers(cell, refuse, language);
    if (cell('name') === '') return refuse('name', 'cargo_sheet_name');
    const said = {
      name: text('name', shortNameLength),
      type: type(),
      provider: provider(),
      priority: priority(),
      banned: flag('banned', flagWords, 'cargo_sheet_flag'),
      banned_reason: text('banned_reason', bannedReasonLength),
      status: flag('status', statusWords, 'cargo_sheet_status'),
    };
    if (said.banned === 1 && places.has('banned_reason') && cell('banned_reason') === '') refuse('banned_reason', 'cargo_sheet_reason');
    const { name, provider: carrier } = said;
    if (name === undefined || carrier === undefined) return;
    const key = `${carrier} ${name.toLowerCase()}`;
    const earlier = known.get(key);
    if (earlier !== undefined) return refuse('name', 'cargo_sheet_repeated', { line: earlier });
    known.set(key, line);
    rows.push({ line, said: { ...withoutAbsent(said), name, provider: carrier } });
  };
  return { read, end: (): ReadGoods => ({ rows: problems_total === 0 ? rows : [], problems, problems_total }) };
};

/** Reads an edited sheet of goods. Throws the refusal of a file that is none; cells that cannot be read are answered, all of them. */
export const readGoodsSheet = async (
  file: { name: string; bytes: Buffer },
  { language, isBusy }: { language: Language; isBusy: () => boolean },
): Promise<ReadGoods> => {
  if (file.bytes.length === 0) failFields({ file: { code: 'file_empty' } });
  if (file.bytes.length > mostCargoSheetBytes) fail('cargo_sheet_too_large', { limit: mostCargoSheetBytes / 1024 / 1024 });
  const format = formatOf(file);
  if (typeof format !== 'string') return failFields({ file: { code: format.refused } });
  let reader: ReturnType<typeof sheetReader> | null = null;
  let rows = 0;
  try {
    for await (const row of readSheet(format, file.bytes, { isBusy })) {
      // Titles and a heading are no goods.
      if (++rows > mostCargoSheetRows + lookAhead) break;
      if (reader) reader.read(row);
      else if (row.cells.some((title) => fieldOf(title) === 'name')) reader = sheetReader(row, language);
      else if (rows === lookAhead) break;
    }
  } catch (error) {
    if (error instanceof UnreadableFile) failFields({ file: { code: error.code, params: error.params } });
    throw error;
  }
  if (!reader) return failFields({ file: { code: 'cargo_sheet_titles' } });
  const found = reader.end();
  if (rows > mostCargoSheetRows + lookAhead || found.rows.length > mostCargoSheetRows)
    failFields({ file: { code: 'cargo_sheet_too_many_rows', params: { limit: mostCargoSheetRows } } });
  if (found.rows.length === 0 && found.problems_total === 0) failFields({ file: { code: 'cargo_sheet_empty' } });
  return found;
};
