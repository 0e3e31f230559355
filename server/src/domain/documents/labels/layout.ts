import { fail } from '#platform/fail.ts';
import { code128, qrcode, quietZone } from './barcodes.ts';
import { grids, paperOf } from './formats.ts';
import type { Grid } from './formats.ts';
import type { LabelContent, Party } from './label-content.ts';
import type { LabelFormat } from './label-input.ts';
import { bars, frame, plate, rule, squares, text } from './page.ts';
import type { Box, Page } from './page.ts';
import type { Typefaces } from '#domain/documents/typefaces.ts';
import { inset, left, right, after, top, below } from './boxes.ts';

/** A page that is being laid out, with the measures of its paper. */
interface LabelContext {
  page: Page;
  grid: Grid;
  content: LabelContent;
  /** Converts a font size for the smaller paper to a font size for this paper. */
  type(size: number): number;
}

/**
 * The smallest font size in dots at which a 203 dpi printer prints a complex Chinese character
 * readably.
 */
const least = 17;

const header = ({ page, content, type }: LabelContext, band: Box): void => {
  const product = right(inset(band, 0, 6), Math.round(band.w * 0.31));
  if (content.product !== '') {
    plate(page, product);
    text(page, content.product, inset(product, 10, 4), {
      size: type(44),
      min: 20,
      weight: 'bold',
      ink: 'white',
      align: 'center',
      lines: 2,
    });
  }
  const middle = right(left(inset(band, 0, 6), band.w - product.w - 12), Math.round(band.w * 0.2));
  const half = Math.floor(middle.h / 2);
  text(page, content.aging, top(middle, content.transport === '' ? middle.h : half), {
    size: type(26),
    min: least,
    weight: 'bold',
    align: 'right',
  });
  text(page, content.transport, content.aging === '' ? middle : below(middle, half), {
    size: type(22),
    min: least,
    align: 'right',
  });
  const brand = left(inset(band, 0, 4), band.w - product.w - middle.w - 24);
  const name = top(brand, Math.round(brand.h * 0.6));
  text(page, content.carrier.name, name, { size: type(36), min: least, weight: 'bold' });
  const line = below(brand, name.h);
  if (!content.simulated) {
    text(page, content.carrier.line, line, { size: type(19), min: 16 });
    return;
  }
  const words = text(page, '模拟 SIMULATED', inset(line, 8, 2), {
    size: type(18),
    min: 16,
    weight: 'bold',
  });
  frame(page, { x: brand.x, y: line.y, w: Math.ceil(words.w) + 16, h: line.h });
};

const packageCode = ({ page, content, type }: LabelContext, band: Box): void => {
  const words = type(26);
  const area = { ...band, y: band.y + 12, h: band.h - 12 - words - 8 };
  if (!bars(page, content.packageNumber, code128(content.packageNumber), area)) {
    fail('label_waybill_invalid', { delivery_id: content.waybill });
  }
  text(
    page,
    content.packageNumber,
    { ...band, y: area.y + area.h + 2, h: words + 4 },
    { size: type(26), min: least, align: 'center' },
  );
};

const sortCell = (
  { page, type }: LabelContext,
  cell: Box,
  words: { caption: string; name: string; code: string },
  size: number,
): void => {
  const line = top(cell, type(28));
  const caption = text(page, words.caption, line, { size: type(19), min: 16 });
  text(page, words.name, after(line, Math.ceil(caption.w) + 10), { size: type(23), min: least });
  const code = below(cell, line.h + 8);
  text(page, words.code, code, { size, min: type(24), weight: 'bold', valign: 'bottom' });
};

const sort = (context: LabelContext, band: Box): void => {
  const { sheet } = context.content;
  const source = left(band, Math.round(band.w * 0.42));
  const target = after(band, source.w + 2);
  rule(context.page, { x: source.x + source.w, y: band.y, w: 2, h: band.h });
  sortCell(
    context,
    { ...inset(source, 6, 7), x: source.x },
    { caption: '始发', name: sheet.sourceName, code: sheet.sourceCode },
    context.type(40),
  );
  sortCell(
    context,
    inset(target, 10, 7),
    { caption: '目的', name: sheet.targetName, code: sheet.targetCode },
    context.type(60),
  );
};

const route = ({ page, content, type }: LabelContext, band: Box): void => {
  const { sheet } = content;
  let rest = band;
  const column = (value: string, w: number, side: 'left' | 'right'): Box | null => {
    if (value === '') return null;
    const cell = side === 'left' ? left(rest, w) : right(rest, w);
    rest = side === 'left' ? after(rest, w + 2) : left(rest, rest.w - w - 2);
    rule(page, { x: side === 'left' ? cell.x + w : cell.x - 2, y: band.y, w: 2, h: band.h });
    return cell;
  };
  const road = column(sheet.road, Math.round(band.w * 0.33), 'left');
  if (road)
    text(
      page,
      sheet.road,
      { ...inset(road, 6, 8), x: road.x, w: road.w - 8 },
      { size: type(116), min: type(36), weight: 'bold', align: 'center' },
    );
  const cover = column(sheet.cover, Math.round(band.w * 0.16), 'right');
  if (cover)
    text(page, sheet.cover, inset(cover, 8, 10), {
      size: type(108),
      min: type(28),
      weight: 'bold',
      ink: 'outline',
      align: 'center',
    });
  const words = {
    ...inset(rest, 10, 8),
    x: rest.x + (road ? 10 : 0),
    w: rest.w - (road ? 20 : 10),
  };
  const second =
    sheet.collection !== '' || sheet.distribute !== '' ? Math.round(words.h * 0.42) : 0;
  text(page, sheet.siteName, top(words, words.h - second - 6), {
    size: type(40),
    min: least,
    weight: 'bold',
    lines: 2,
  });
  if (second === 0) return;
  const line = below(words, words.h - second);
  const number = text(
    page,
    sheet.distribute,
    right(line, Math.round(line.w * (sheet.collection === '' ? 1 : 0.5))),
    {
      size: type(44),
      min: type(22),
      weight: 'bold',
      align: 'right',
      valign: 'bottom',
    },
  );
  const room = left(line, line.w - (number.w > 0 ? Math.ceil(number.w) + 12 : 0));
  text(page, sheet.collection === '' ? '' : `集包 ${sheet.collection}`, room, {
    size: type(24),
    min: least,
    lines: 2,
    valign: 'bottom',
  });
};

interface PartyStyle {
  mark: string;
  filled: boolean;
  name: number;
  address: number;
  weight: 'regular' | 'bold';
  lines: number;
  /** The number of dots that stay free at the right end of the first line. */
  reserved: number;
}

const partyBand = (
  { page, type }: LabelContext,
  band: Box,
  party: Party,
  style: PartyStyle,
): void => {
  const cell = inset(band, 0, 8);
  const side = Math.round(style.name * 1.34);
  const badge = { x: cell.x, y: cell.y, w: side, h: side };
  if (style.filled) plate(page, badge);
  else frame(page, badge);
  const mark = {
    size: Math.round(style.name * 0.95),
    min: least,
    weight: 'bold',
    align: 'center',
  } as const;
  text(page, style.mark, inset(badge, 2), { ...mark, ink: style.filled ? 'white' : 'black' });
  const words = after(cell, side + 14);
  const line = left(top(words, side), words.w - style.reserved);
  const heading = { size: style.name, min: least, weight: 'bold' } as const;
  const name = text(page, party.name, left(line, Math.round(line.w * 0.48)), {
    ...heading,
    lines: 2,
    essential: true,
  });
  text(page, party.phone, after(line, name.w === 0 ? 0 : Math.ceil(name.w) + type(22)), {
    ...heading,
    essential: true,
  });
  text(page, party.address, below(words, side + 4), {
    size: style.address,
    min: least,
    weight: style.weight,
    lines: style.lines,
    valign: 'top',
    essential: true,
  });
};

const receiver = (context: LabelContext, band: Box): void =>
  partyBand(context, band, context.content.receiver, {
    mark: '收',
    filled: true,
    name: context.type(36),
    address: context.type(38),
    weight: 'bold',
    lines: 4,
    reserved: 0,
  });

/**
 * Draws the sender, and beside it the mark 已验视: postal rules require that the clerk has inspected
 * the parcel.
 */
const sender = (context: LabelContext, band: Box): void => {
  const { page, content, type } = context;
  const stamp = right(top(inset(band, 0, 8), type(36)), type(112));
  frame(page, stamp, 3);
  text(page, '已验视', inset(stamp, 8, 4), {
    size: type(28),
    min: least,
    weight: 'bold',
    align: 'center',
  });
  partyBand(context, band, content.sender, {
    mark: '寄',
    filled: false,
    name: type(26),
    address: type(25),
    weight: 'regular',
    lines: 2,
    reserved: stamp.w + 12,
  });
};

const factCells = ({ page, content, type }: LabelContext, row: Box): void => {
  const [, pieces] = content.piece.split('/');
  const shares = [0.17, 0.34, 0.25, 0.24];
  const values = [content.settlement, content.insured, content.weight, `${content.piece} 件`];
  let x = row.x;
  values.forEach((value, index) => {
    const last = index === values.length - 1;
    const w = last ? row.x + row.w - x : Math.round(row.w * shares[index]!);
    const cell = { ...row, x, w };
    const several = last && pieces !== '1';
    if (several) plate(page, inset(cell, 4, 4));
    text(page, value, inset(cell, 10, 6), {
      size: type(last ? 32 : 27),
      min: least,
      weight: 'bold',
      align: 'center',
      ink: several ? 'white' : 'black',
    });
    if (!last) rule(page, { x: x + w - 1, y: row.y, w: 2, h: row.h });
    x += w;
  });
};

const facts = (context: LabelContext, band: Box): void => {
  const { page, content, type } = context;
  const row = top(band, type(47));
  factCells(context, row);
  rule(page, { ...row, y: row.y + row.h, h: 2 });
  let rest = inset(below(band, row.h + 2), 0, 5);
  const captions = type(72);
  const entries = [
    { caption: '物品', value: content.goods, lines: 1, size: 24 },
    { caption: '备注', value: content.remark, lines: 2, size: 21 },
    { caption: '订单号', value: content.order, lines: 1, size: 21 },
    { caption: '第三方', value: content.thirdOrder, lines: 1, size: 21 },
  ].filter((entry) => entry.value !== '');
  for (const { caption, value, lines, size } of entries) {
    const first = type(26);
    const line = top(rest, lines === 1 ? first : type(48));
    text(page, caption, left(top(line, first), captions), { size: type(20), min: 16 });
    const used = text(page, value, after(line, captions), {
      size: type(size),
      min: least,
      lines,
      valign: lines === 1 ? 'middle' : 'top',
    });
    rest = below(rest, Math.max(first, Math.ceil(used.h)) + 1);
  }
};

const foot = ({ page, grid, content, type }: LabelContext, band: Box): void => {
  const area = inset(band, 0, 6);
  let codes = area;
  const wanted = content.qrcodeUrl === '' ? null : qrcode(content.qrcodeUrl);
  const qr = wanted && wanted.modules <= grid.mostSquares ? wanted : null;
  page.qrLeftOut = content.qrcodeUrl !== '' && !qr;
  if (qr) {
    const hint = type(20);
    const module = Math.max(
      3,
      Math.min(grid.square, Math.floor((area.h - hint) / (qr.modules + 2 * quietZone.squares))),
    );
    const box = squares(page, { content: content.qrcodeUrl, code: qr, module }, area);
    text(
      page,
      content.qrcodeUrl.startsWith('http') ? '扫码查件' : '',
      { ...box, y: box.y + box.h, h: area.y + area.h - box.y - box.h },
      { size: type(19), min: 16, align: 'center', valign: 'top' },
    );
    codes = left(area, area.w - box.w);
  }
  const number = top(codes, type(46));
  const tail = content.waybill.slice(-4);
  const headWords = text(page, content.waybill.slice(0, -4), left(number, number.w * 0.62), {
    size: type(28),
    min: least,
    valign: 'bottom',
  });
  text(page, tail, after(number, Math.ceil(headWords.w) + 8), {
    size: type(58),
    min: type(30),
    weight: 'bold',
    valign: 'bottom',
  });
  const printedLine = type(24);
  const code = {
    ...codes,
    y: number.y + number.h + 8,
    h: codes.h - number.h - 8 - printedLine - 4,
  };
  if (!bars(page, content.waybill, code128(content.waybill), code))
    fail('label_waybill_invalid', { delivery_id: content.waybill });
  const last = below(codes, codes.h - printedLine);
  const printed = text(page, content.printed, last, { size: type(19), min: 16, valign: 'bottom' });
  const room = after(last, printed.w === 0 ? 0 : Math.ceil(printed.w) + 14);
  text(page, content.station, room, { size: type(19), min: 16, align: 'right', valign: 'bottom' });
};

/**
 * Lays out one page. The result depends only on the content, the paper and the typefaces. Throws a
 * Failure if the waybill number is too long for a bar code of this width.
 */
export const layoutLabel = (content: LabelContent, format: LabelFormat, faces: Typefaces): Page => {
  const grid = grids[paperOf(format)];
  const page: Page = {
    width: grid.width,
    height: grid.height,
    items: [],
    faces,
    missing: new Set(),
    shortened: [],
    qrLeftOut: false,
  };
  const type = (size: number): number => Math.round(size * grid.scale);
  const context: LabelContext = { page, grid, content, type };
  const bands: [keyof Grid['bands'], (band: Box) => void][] = [
    ['header', (band) => header(context, band)],
    ['code', (band) => packageCode(context, band)],
    ['sort', (band) => sort(context, band)],
    ['route', (band) => route(context, band)],
    ['receiver', (band) => receiver(context, band)],
    ['sender', (band) => sender(context, band)],
    ['facts', (band) => facts(context, band)],
    ['foot', (band) => foot(context, band)],
  ];
  let y = grid.margin;
  for (const [name, place] of bands) {
    const h = grid.bands[name];
    const last = name === 'foot';
    place({ x: grid.margin, y, w: grid.width - 2 * grid.margin, h: last ? h : h - 2 });
    y += h;
    if (!last) rule(page, { x: grid.margin, y: y - 2, w: grid.width - 2 * grid.margin, h: 2 });
  }
  return page;
};
