import { statementTypes } from '@waystation/contract/money/statement.ts';
import {
  bottom,
  drawPages,
  head,
  ink,
  margin,
  newPage,
  put,
  putFigures,
  right,
  row,
  rowHeight,
  rule,
  signature,
} from '#domain/documents/pages.ts';
import type { Column, Pen } from '#domain/documents/pages.ts';
import type { Typefaces } from '#domain/documents/typefaces.ts';
import type { MonthLine } from '#domain/ledger/ledger.ts';
import {
  changeText,
  descriptionOf,
  minuteText,
  statementWords,
  sumText,
} from './statement-content.ts';
import type { StatementContent, StatementWords } from './statement-content.ts';

const lineColumns = (
  { language }: StatementContent,
  words: StatementWords,
): Column<MonthLine>[] => [
  { title: words.seq, width: 34, align: 'right', cell: ({ seq }) => String(seq) },
  { title: words.time, width: 76, cell: ({ posted_at }) => minuteText(posted_at) },
  { title: words.waybill, width: 88, cell: ({ delivery_id }) => delivery_id ?? '—' },
  { title: words.type, width: 76, cell: ({ type }) => statementTypes[type][language] },
  { title: words.amount, width: 62, align: 'right', cell: ({ amount }) => changeText(amount) },
  { title: words.balance, width: 64, align: 'right', cell: ({ balance }) => sumText(balance) },
  {
    title: words.description,
    width: right - margin - 400,
    cell: (line) =>
      [
        line.freeze_amount === 0 ? '' : words.frozen_by(changeText(line.freeze_amount)),
        descriptionOf(line, language),
      ]
        .filter(Boolean)
        .join(' · '),
  },
];

type TypeSum = Omit<StatementContent['by_type'][number], 'type'> & { title: string };

const typeColumns = (words: StatementWords): Column<TypeSum>[] => [
  { title: words.type, width: 140, cell: ({ title }) => title },
  { title: words.lines, width: 60, align: 'right', cell: ({ lines }) => String(lines) },
  { title: words.in, width: 80, align: 'right', cell: (sum) => sumText(sum.in) },
  { title: words.out, width: 80, align: 'right', cell: ({ out }) => sumText(out) },
  { title: words.amount, width: 80, align: 'right', cell: ({ amount }) => changeText(amount) },
  {
    title: words.freeze_amount,
    width: right - margin - 440,
    align: 'right',
    cell: ({ freeze_amount }) => changeText(freeze_amount),
  },
];

/** Draws the title, the station, the month and the five totals. Returns the position below them. */
const opening = (pen: Pen, content: StatementContent, words: StatementWords): number => {
  put(pen, words.title, { x: margin, baseline: margin + 18, width: 300, size: 18, weight: 'bold' });
  put(pen, `${words.station}  ${content.station_name}`, {
    x: margin,
    baseline: margin + 40,
    width: 340,
    size: 10,
  });
  put(pen, `${words.period}  ${content.period}`, {
    x: margin + 340,
    baseline: margin + 40,
    width: right - margin - 340,
    size: 10,
    align: 'right',
  });
  put(pen, words.made(content.made_by, minuteText(content.made_at)), {
    x: margin,
    baseline: margin + 55,
    width: 360,
    color: ink.calm,
  });
  put(pen, words.unit, {
    x: margin + 360,
    baseline: margin + 55,
    width: right - margin - 360,
    color: ink.calm,
    align: 'right',
  });
  let y = margin + 66;
  rule(pen, y, ink.strong);
  const figures = [
    [words.opening, sumText(content.opening)],
    [`+ ${words.in}`, sumText(content.in)],
    [`− ${words.out}`, sumText(content.out)],
    [`= ${words.closing}`, sumText(content.closing)],
  ] as const;
  putFigures(pen, figures, y);
  put(pen, `${words.frozen}  ${sumText(content.frozen)}`, {
    x: margin,
    baseline: y + 50,
    width: right - margin,
    color: ink.calm,
  });
  y += 60;
  rule(pen, y);
  return y;
};

/**
 * Draws the confirmation of the month, and a note if the month has changed since the confirmation.
 * Returns the position at which the next part begins.
 */
const confirmationOf = (
  pen: Pen,
  content: StatementContent,
  words: StatementWords,
  from: number,
): number => {
  let y = from;
  const { confirmation } = content;
  put(
    pen,
    confirmation
      ? words.confirmed(
          confirmation.confirmed_by_name,
          minuteText(confirmation.at),
          sumText(confirmation.closing),
        )
      : words.unconfirmed,
    {
      x: margin,
      baseline: y + 14,
      width: right - margin,
      weight: confirmation ? 'bold' : 'regular',
      color: confirmation ? ink.strong : ink.calm,
    },
  );
  if (content.changed === 1)
    put(pen, words.changed, {
      x: margin,
      baseline: (y += 12) + 14,
      width: right - margin,
      weight: 'bold',
    });
  return y + 24;
};

/** Draws the totals of each transaction type. Returns the position at which the lines begin. */
const sumsByType = (
  pen: Pen,
  content: StatementContent,
  words: StatementWords,
  from: number,
): number => {
  if (content.by_type.length === 0) return from;
  let y = from;
  const columns = typeColumns(words);
  put(pen, words.by_type, { x: margin, baseline: y + 10, width: 300, size: 9, weight: 'bold' });
  y = head(pen, columns, y + 16);
  for (const { type, ...sums } of content.by_type)
    y = row(pen, columns, { title: statementTypes[type][content.language], ...sums }, { y });
  rule(pen, y);
  const total = (key: 'lines' | 'in' | 'out' | 'amount' | 'freeze_amount'): number =>
    content.by_type.reduce((sum, each) => sum + each[key], 0);
  const sum = {
    lines: total('lines'),
    in: total('in'),
    out: total('out'),
    amount: total('amount'),
    freeze_amount: total('freeze_amount'),
  };
  return row(pen, columns, { title: words.sum, ...sum }, { y: y + 1, weight: 'bold' }) + 14;
};

const lines = (
  pen: Pen,
  content: StatementContent,
  words: StatementWords,
  from: number,
): number => {
  if (content.lines.length === 0) {
    put(pen, words.none, {
      x: margin,
      baseline: from + 12,
      width: right - margin,
      color: ink.calm,
    });
    return from + 24;
  }
  const columns = lineColumns(content, words);
  let y = head(pen, columns, from);
  for (const line of content.lines) {
    if (y + rowHeight > bottom) y = head(pen, columns, newPage(pen));
    y = row(pen, columns, line, { y });
    rule(pen, y, ink.head);
  }
  return y;
};

/**
 * Draws the last number and hash of the station's hash chain of transactions, above the space for
 * the signature.
 */
const chainHead = (
  pen: Pen,
  { head: of }: StatementContent,
  words: StatementWords,
  from: number,
): number => {
  if (of === null) return from;
  const y = from + 34 > bottom ? newPage(pen) : from;
  put(pen, words.head(of.seq, of.hash), {
    x: margin,
    baseline: y + 18,
    width: right - margin,
    size: 7.5,
    color: ink.calm,
  });
  put(pen, words.head_hint, {
    x: margin,
    baseline: y + 30,
    width: right - margin,
    size: 7.5,
    color: ink.calm,
  });
  return y + 34;
};

/**
 * Draws the statement on A4: totals, totals of each type, all transactions in order, space for a
 * signature, and the page number on each page.
 */
export const drawStatement = (content: StatementContent, faces: Typefaces): Promise<Uint8Array> => {
  const words = statementWords(content.language);
  return drawPages(
    {
      title: `${words.title} ${content.station_name} ${content.period}`,
      at: content.made_at,
      faces,
    },
    (pen) => {
      const confirmed = confirmationOf(pen, content, words, opening(pen, content, words));
      const summed = sumsByType(pen, content, words, confirmed);
      signature(pen, words, chainHead(pen, content, words, lines(pen, content, words, summed)));
    },
    { text: `${content.station_name} · ${content.period}`, page: words.page },
  );
};
