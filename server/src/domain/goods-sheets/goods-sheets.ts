/** Reads the sheets of goods that users edit: they have the columns of an export. */
import { cargoTypes } from '@waystation/contract/parcels/cargo.ts';
import type { CargoValues } from '@waystation/contract/parcels/cargo.ts';
import type { ErrorCode } from '@waystation/contract/base/errors.ts';
import type { Params } from '@waystation/contract/base/envelope.ts';
import {
  bannedReasonLength,
  mostCargoSheetBytes,
  mostCargoSheetRows,
  mostPriority,
  shortNameLength,
} from '@waystation/contract/base/limits.ts';
import { offeredProviders, providers } from '@waystation/contract/network/provider.ts';
import type { SheetProblem } from '@waystation/contract/base/sheet.schema.ts';
import { firstOf } from '@waystation/contract/base/present.ts';
import { lookAhead, readEditedSheet, sheetCells } from '#domain/edited-sheets/edited-sheets.ts';
import type { SheetFile } from '#domain/edited-sheets/edited-sheets.ts';
import type { SheetRow } from '#domain/workbook/workbook.ts';
import { failFields } from '#platform/fail.ts';

type Language = 'zh' | 'en';
type Field = keyof CargoValues;
type Refuse = (
  field: Field,
  code: Extract<ErrorCode, `cargo_sheet_${string}`>,
  params?: Params,
) => undefined;

/** The content of a row; fields with an empty cell or without a column are absent. */
export interface GoodsRow {
  line: number;
  said: Partial<CargoValues> & Pick<CargoValues, 'name' | 'provider'>;
}

export interface ReadGoods {
  rows: GoodsRow[];
  problems: SheetProblem[];
  problems_total: number;
}

/**
 * Column titles of an export in both languages, and other common titles. The value is null for a
 * calculated column, which is not read.
 */
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

/**
 * The code that equals the cell's text, or whose text in one of the two languages equals it;
 * undefined if there is none.
 */
const codeIn = <Code extends string>(
  known: Readonly<Record<Code, { zh: string; en: string }>>,
  text: string,
): Code | undefined =>
  (Object.keys(known) as Code[]).find((code) =>
    [code, known[code].zh, known[code].en].some((word) => plain(word) === plain(text)),
  );

const flagWords: Readonly<Record<string, 0 | 1>> = {
  是: 1,
  yes: 1,
  '1': 1,
  禁寄: 1,
  banned: 1,
  否: 0,
  no: 0,
  '0': 0,
  可寄: 0,
  allowed: 0,
};
const statusWords: Readonly<Record<string, 0 | 1>> = {
  启用: 1,
  enabled: 1,
  '1': 1,
  停用: 0,
  disabled: 0,
  '0': 0,
};

const readers = (cell: (field: Field) => string, refuse: Refuse, language: Language) => ({
  text: (field: 'name' | 'banned_reason', limit: number) =>
    [...cell(field)].length > limit
      ? refuse(field, 'cargo_sheet_length', { limit })
      : cell(field) || undefined,
  type: () => {
    const code =
      cell('type') === ''
        ? null
        : codeIn(cargoTypes as Readonly<Record<string, { zh: string; en: string }>>, cell('type'));
    return code === null
      ? undefined
      : code === undefined
        ? refuse('type', 'cargo_sheet_type')
        : Number(code);
  },
  provider: () => {
    const code =
      cell('provider') === '' ? firstOf(offeredProviders) : codeIn(providers, cell('provider'));
    const names = offeredProviders
      .map((each) => providers[each][language])
      .join(language === 'zh' ? '、' : ', ');
    return code ?? refuse('provider', 'cargo_sheet_provider', { names });
  },
  priority: () => {
    if (cell('priority') === '') return undefined;
    const text = plain(cell('priority'));
    return /^\d{1,5}$/.test(text) && Number(text) <= mostPriority
      ? Number(text)
      : refuse('priority', 'cargo_sheet_priority', { limit: mostPriority });
  },
  flag: (
    field: 'banned' | 'status',
    known: Readonly<Record<string, 0 | 1>>,
    code: 'cargo_sheet_flag' | 'cargo_sheet_status',
  ) =>
    cell(field) === ''
      ? undefined
      : Object.hasOwn(known, plain(cell(field)))
        ? known[plain(cell(field))]
        : refuse(field, code),
});

/** Removes fields that the sheet does not have, so that their stored values are kept. */
const withoutAbsent = <T extends object>(values: T) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };

/** Reads the rows below the titles. */
const sheetReader = (header: SheetRow, language: Language) => {
  const { found, fields, textOf, add } = sheetCells<Field>(header, {
    fieldOf,
    codes: { repeated: 'cargo_sheet_title_repeated', unknown: 'cargo_sheet_title_unknown' },
  });
  const rows: GoodsRow[] = [];
  const known = new Map<string, number>();
  const read = (row: SheetRow): void => {
    const cell = (field: Field): string => textOf(row, field).trim();
    if ([...fields.keys()].every((field) => cell(field) === '')) return;
    const refuse: Refuse = (field, code, params = {}) =>
      add(row.line, field, cell(field), { code, params }) as undefined;
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
    if (said.banned === 1 && fields.has('banned_reason') && cell('banned_reason') === '')
      refuse('banned_reason', 'cargo_sheet_reason');
    const { name, provider: carrier } = said;
    if (name === undefined || carrier === undefined) return;
    const key = `${carrier} ${name.toLowerCase()}`;
    const earlier = known.get(key);
    if (earlier !== undefined) return refuse('name', 'cargo_sheet_repeated', { line: earlier });
    known.set(key, row.line);
    rows.push({ line: row.line, said: { ...withoutAbsent(said), name, provider: carrier } });
  };
  return {
    read,
    end: (): ReadGoods => ({ ...found, rows: found.problems_total === 0 ? rows : [] }),
  };
};

const tooMany = {
  code: 'cargo_sheet_too_many_rows',
  params: { limit: mostCargoSheetRows },
} as const;

/**
 * Reads a sheet of goods that a user edited. Throws a Failure if the file is of another kind; the
 * cells that cannot be read are all returned as problems.
 */
export const readGoodsSheet = async (
  file: SheetFile,
  { language, isBusy }: { language: Language; isBusy: () => boolean },
): Promise<ReadGoods> => {
  const limits = {
    bytes: { most: mostCargoSheetBytes, code: 'cargo_sheet_too_large' },
    // The sheet may have rows with titles and headings in addition to the largest number of goods.
    rows: { most: mostCargoSheetRows + lookAhead, ...tooMany },
  } as const;
  const reader = await readEditedSheet(file, limits, isBusy, (row) =>
    row.cells.some((title) => fieldOf(title) === 'name') ? sheetReader(row, language) : null,
  );
  if (!reader) return failFields({ file: { code: 'cargo_sheet_titles' } });
  const found = reader.end();
  if (found.rows.length > mostCargoSheetRows) failFields({ file: tooMany });
  if (found.rows.length === 0 && found.problems_total === 0)
    failFields({ file: { code: 'cargo_sheet_empty' } });
  return found;
};
