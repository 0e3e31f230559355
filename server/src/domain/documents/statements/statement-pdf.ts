import PDFDocument from 'pdfkit';
import { statementTypes } from '@waystation/contract/money/statement.ts';
import { present } from '@waystation/contract/base/present.ts';
import { unshaped } from '#domain/documents/typefaces.ts';
import type { FaceName, Typefaces, Weight } from '#domain/documents/typefaces.ts';
import type { MonthLine } from '#domain/ledger/ledger.ts';
import {
  changeText,
  descriptionOf,
  minuteText,
  statementWords,
  sumText,
} from './statement-content.ts';
import type { StatementContent, StatementWords } from './statement-content.ts';

type Document = InstanceType<typeof PDFDocument>;

// Points, A4.
const paperWidth = 595.28;
const paperHeight = 841.89;
const margin = 36;
const right = paperWidth - margin;
const bottom = paperHeight - 54;
const rowHeight = 14;

const ink = { strong: '#1d2129', calm: '#4e5969', line: '#c9cdd4', head: '#f2f3f5' };

interface Pen {
  document: Document;
  faces: Typefaces;
  registered: Set<FaceName>;
}

interface Style {
  size?: number;
  weight?: Weight;
  color?: string;
  align?: 'left' | 'right';
}

/**
 * Sets a text on a baseline into a width; a longer text ends in an ellipsis, a character that
 * no face has becomes □.
 */
const put = (
  pen: Pen,
  text: string,
  x: number,
  baseline: number,
  width: number,
  { size = 8, weight = 'regular', color = ink.strong, align = 'left' }: Style = {},
): void => {
  const { document, faces, registered } = pen;
  const glyphOf = (character: string) =>
    faces.glyph(present(character.codePointAt(0)), weight) ?? faces.glyph(0x25a1, weight)!;
  const mark = glyphOf('…');
  let glyphs = Array.from(text, glyphOf);
  const widthOf = (of: typeof glyphs): number =>
    of.reduce((sum, { advance }) => sum + advance * size, 0);
  if (widthOf(glyphs) > width) {
    while (glyphs.length > 0 && widthOf(glyphs) + mark.advance * size > width)
      glyphs = glyphs.slice(0, -1);
    glyphs = [...glyphs, mark];
  }
  let at = align === 'right' ? x + width - widthOf(glyphs) : x;
  document.fontSize(size).fillColor(color);
  for (let from = 0; from < glyphs.length;) {
    const { face } = glyphs[from]!;
    let to = from;
    while (to < glyphs.length && present(glyphs[to]).face === face) to += 1;
    const run = glyphs.slice(from, to);
    if (!registered.has(face)) {
      // pdfkit takes an opened font as well as its bytes; its types declare the bytes only.
      document.registerFont(face, unshaped(faces.open(face)) as unknown as Uint8Array);
      registered.add(face);
    }
    document.font(face).text(run.map(({ character }) => character).join(''), at, baseline, {
      lineBreak: false,
      baseline: 'alphabetic',
    });
    at += widthOf(run);
    from = to;
  }
};

const rule = ({ document }: Pen, y: number, color = ink.line): void =>
  void document.moveTo(margin, y).lineTo(right, y).lineWidth(0.5).strokeColor(color).stroke();

interface Column<R> {
  title: string;
  width: number;
  align?: 'right';
  cell: (row: R) => string;
}

const head = <R>(pen: Pen, columns: readonly Column<R>[], y: number): number => {
  const width = columns.reduce((sum, column) => sum + column.width, 0);
  pen.document.rect(margin, y, width, rowHeight + 2).fill(ink.head);
  let x = margin;
  for (const { title, width, align } of columns) {
    put(pen, title, x + 3, y + 11, width - 6, {
      size: 7.5,
      weight: 'bold',
      color: ink.calm,
      ...(align && { align }),
    });
    x += width;
  }
  return y + rowHeight + 2;
};

const row = <R>(
  pen: Pen,
  columns: readonly Column<R>[],
  y: number,
  of: R,
  weight: Weight = 'regular',
): number => {
  let x = margin;
  for (const { width, align, cell } of columns) {
    put(pen, cell(of), x + 3, y + 10, width - 6, { size: 7.5, weight, ...(align && { align }) });
    x += width;
  }
  return y + rowHeight;
};

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

/**
 * Title, station and month, the five figures, and the sums by type. Returns the position of
 * the lines.
 */
const opening = (pen: Pen, content: StatementContent, words: StatementWords): number => {
  put(pen, words.title, margin, margin + 18, 300, { size: 18, weight: 'bold' });
  put(pen, `${words.station}  ${content.station_name}`, margin, margin + 40, 340, { size: 10 });
  put(pen, `${words.period}  ${content.period}`, margin + 340, margin + 40, right - margin - 340, {
    size: 10,
    align: 'right',
  });
  put(pen, words.made(content.made_by, minuteText(content.made_at)), margin, margin + 55, 360, {
    color: ink.calm,
  });
  put(pen, words.unit, margin + 360, margin + 55, right - margin - 360, {
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
  const width = (right - margin) / figures.length;
  figures.forEach(([title, sum], at) => {
    put(pen, title, margin + at * width, y + 16, width - 8, { color: ink.calm });
    put(pen, sum, margin + at * width, y + 34, width - 8, { size: 13, weight: 'bold' });
  });
  put(pen, `${words.frozen}  ${sumText(content.frozen)}`, margin, y + 50, right - margin, {
    color: ink.calm,
  });
  y += 60;
  rule(pen, y);
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
    margin,
    y + 14,
    right - margin,
    { weight: confirmation ? 'bold' : 'regular', color: confirmation ? ink.strong : ink.calm },
  );
  if (content.changed === 1)
    put(pen, words.changed, margin, (y += 12) + 14, right - margin, { weight: 'bold' });
  y += 24;
  if (content.by_type.length === 0) return y;
  const columns = typeColumns(words);
  put(pen, words.by_type, margin, y + 10, 300, { size: 9, weight: 'bold' });
  y = head(pen, columns, y + 16);
  for (const { type, ...sums } of content.by_type)
    y = row(pen, columns, y, { title: statementTypes[type][content.language], ...sums });
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
  return row(pen, columns, y + 1, { title: words.sum, ...sum }, 'bold') + 14;
};

const newPage = (pen: Pen): number => {
  pen.document.addPage({ size: 'A4', margin: 0 });
  return margin;
};

const lines = (
  pen: Pen,
  content: StatementContent,
  words: StatementWords,
  from: number,
): number => {
  if (content.lines.length === 0) {
    put(pen, words.none, margin, from + 12, right - margin, { color: ink.calm });
    return from + 24;
  }
  const columns = lineColumns(content, words);
  let y = head(pen, columns, from);
  for (const line of content.lines) {
    if (y + rowHeight > bottom) y = head(pen, columns, newPage(pen));
    y = row(pen, columns, y, line);
    rule(pen, y, ink.head);
  }
  return y;
};

/** The head of the station's chain, above the room to sign. */
const chainHead = (
  pen: Pen,
  { head: of }: StatementContent,
  words: StatementWords,
  from: number,
): number => {
  if (of === null) return from;
  const y = from + 34 > bottom ? newPage(pen) : from;
  put(pen, words.head(of.seq, of.hash), margin, y + 18, right - margin, {
    size: 7.5,
    color: ink.calm,
  });
  put(pen, words.head_hint, margin, y + 30, right - margin, { size: 7.5, color: ink.calm });
  return y + 34;
};

const signature = (pen: Pen, words: StatementWords, from: number): void => {
  const y = from + 56 > bottom ? newPage(pen) : from;
  put(pen, words.sign, margin, y + 44, 160, { size: 9 });
  pen.document
    .moveTo(margin + 150, y + 46)
    .lineTo(margin + 310, y + 46)
    .lineWidth(0.5)
    .strokeColor(ink.calm)
    .stroke();
  put(pen, words.date, margin + 330, y + 44, 60, { size: 9 });
  pen.document
    .moveTo(margin + 380, y + 46)
    .lineTo(right, y + 46)
    .lineWidth(0.5)
    .strokeColor(ink.calm)
    .stroke();
};

/**
 * The statement on A4: the figures, the sums by type, every line in order, room to sign, and
 * the page's number on each.
 */
export const drawStatement = async (
  content: StatementContent,
  faces: Typefaces,
): Promise<Uint8Array> => {
  const words = statementWords(content.language);
  const document = new PDFDocument({
    autoFirstPage: false,
    bufferPages: true,
    font: '',
    margin: 0,
    info: {
      Title: `${words.title} ${content.station_name} ${content.period}`,
      CreationDate: new Date(content.made_at),
    },
  });
  const chunks: Uint8Array[] = [];
  document.on('data', (chunk: Uint8Array) => void chunks.push(chunk));
  const ended = new Promise<void>(
    (resolve, reject) => void document.on('end', resolve).on('error', reject),
  );
  const pen: Pen = { document, faces, registered: new Set() };
  newPage(pen);
  signature(
    pen,
    words,
    chainHead(pen, content, words, lines(pen, content, words, opening(pen, content, words))),
  );
  const { count } = document.bufferedPageRange();
  for (let page = 0; page < count; page += 1) {
    document.switchToPage(page);
    rule(pen, bottom + 8);
    put(pen, `${content.station_name} · ${content.period}`, margin, bottom + 22, 360, {
      size: 7.5,
      color: ink.calm,
    });
    put(pen, words.page(page + 1, count), margin + 360, bottom + 22, right - margin - 360, {
      size: 7.5,
      color: ink.calm,
      align: 'right',
    });
  }
  document.end();
  await ended;
  return new Uint8Array(Buffer.concat(chunks));
};
