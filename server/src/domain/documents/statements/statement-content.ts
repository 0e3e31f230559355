import type { Language } from '@waystation/contract/errors.ts';
import { yuanText } from '@waystation/contract/money.ts';
import type { StatementType } from '@waystation/contract/statement.ts';
import type { ChainHead, MonthLine } from '#domain/ledger/ledger.ts';

/** Everything that stands on a station's statement. Fen; times ISO 8601, shown in Asia/Shanghai. */
export interface StatementPaper {
  language: Language;
  station_name: string;
  period: string;
  opening: number;
  in: number;
  out: number;
  closing: number;
  frozen: number;
  by_type: { type: StatementType; lines: number; in: number; out: number; amount: number; freeze_amount: number }[];
  lines: MonthLine[];
  confirmation: { confirmed_by_name: string; at: string; closing: number } | null;
  changed: 0 | 1;
  /** Of the station's chain when the statement was made; null: nothing was posted yet. */
  head: ChainHead | null;
  made_by: string;
  made_at: string;
}

const words = {
  zh: {
    title: '网点对账单',
    station: '网点',
    period: '账期',
    made: (by: string, at: string) => `由 ${by} 于 ${at} 生成（北京时间）`,
    opening: '期初余额',
    in: '收入',
    out: '支出',
    closing: '期末余额',
    frozen: '期末冻结（含在余额内）',
    by_type: '按类型合计',
    type: '类型',
    lines: '笔数',
    amount: '余额变动',
    freeze_amount: '冻结变动',
    seq: '序号',
    time: '入账时间',
    waybill: '运单号',
    balance: '余额',
    description: '说明',
    sum: '合计',
    none: '本账期没有账单。',
    frozen_by: (sum: string) => `冻结 ${sum}`,
    reversed: '已冲正',
    confirmed: (by: string, at: string, sum: string) => `网点已于 ${at} 由 ${by} 在线确认，期末余额 ¥${sum}`,
    changed: '确认后又有账单入账，与确认时的金额不同。',
    unconfirmed: '网点尚未在线确认',
    sign: '网点（签字或盖章）：',
    date: '日期：',
    page: (page: number, pages: number) => `第 ${page} 页，共 ${pages} 页`,
    unit: '金额单位：元',
    head: (seq: number, hash: string) => `账本链头 第 ${seq} 环  ${hash}`,
    head_hint: '请妥善保存：凭此链头可查出此前账目是否被改写。',
  },
  en: {
    title: 'Station statement',
    station: 'Station',
    period: 'Period',
    made: (by: string, at: string) => `Made by ${by}, ${at} Beijing time`,
    opening: 'Opening balance',
    in: 'In',
    out: 'Out',
    closing: 'Closing balance',
    frozen: 'Frozen at the end (part of the balance)',
    by_type: 'Sums by type',
    type: 'Type',
    lines: 'Lines',
    amount: 'Change',
    freeze_amount: 'Frozen change',
    seq: 'No.',
    time: 'Posted',
    waybill: 'Waybill',
    balance: 'Balance',
    description: 'Description',
    sum: 'Sum',
    none: 'There are no lines in this period.',
    frozen_by: (sum: string) => `Frozen ${sum}`,
    reversed: 'Reversed',
    confirmed: (by: string, at: string, sum: string) => `Confirmed online by ${by} on ${at}, closing balance ¥${sum}`,
    changed: 'Lines came after it was confirmed; the figures differ from those agreed to.',
    unconfirmed: 'Not confirmed by the station yet',
    sign: 'Station (signature or seal):',
    date: 'Date:',
    page: (page: number, pages: number) => `Page ${page} of ${pages}`,
    unit: 'Amounts in yuan',
    head: (seq: number, hash: string) => `Ledger chain head, link ${seq}  ${hash}`,
    head_hint: 'Keep this: it shows whether anything posted before was rewritten.',
  },
} as const;
export type StatementWords = (typeof words)[Language];
/** The words of the paper, and of the workbook that says the same. */
export const statementWords = (language: Language): StatementWords => words[language];

const grouped = (fen: number): string => yuanText(Math.abs(fen)).replace(/\B(?=(\d{3})+\.)/g, ',');
/** Fen → "1,234.50", "−3.30". */
export const sumText = (fen: number): string => `${fen < 0 ? '−' : ''}${grouped(fen)}`;
/** Fen → "+1,234.50", "−3.30", "0.00". */
export const changeText = (fen: number): string => `${fen > 0 ? '+' : ''}${sumText(fen)}`;

const shanghai = 8 * 3_600_000;
/** `2026-03-02 10:00` in Asia/Shanghai. */
export const minuteText = (at: string): string => new Date(Date.parse(at) + shanghai).toISOString().slice(0, 16).replace('T', ' ');

/** What is said of a line beside its figures; one taken back says so. */
export const descriptionOf = ({ reversed, description }: Pick<MonthLine, 'reversed' | 'description'>, language: Language): string =>
  [reversed === 1 ? words[language].reversed : '', description].filter(Boolean).join(' · ');
