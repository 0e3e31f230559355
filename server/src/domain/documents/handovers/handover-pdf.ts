import { providers } from '@waystation/contract/network/provider.ts';
import { qrcode, quietZone } from '#domain/documents/labels/barcodes.ts';
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
import { minuteText } from '#domain/documents/statements/statement-content.ts';
import type { Typefaces } from '#domain/documents/typefaces.ts';
import { handoverWords } from './handover-content.ts';
import type { HandoverContent, HandoverWords } from './handover-content.ts';

/** The side of the QR code with its quiet zone, in points. */
const codeSide = 84;
/** The number of packages in one line. */
const across = 2;

const drawCode = ({ document }: Pen, address: string): void => {
  const code = qrcode(address);
  if (code === null) return;
  const module = codeSide / (code.modules + 2 * quietZone.squares);
  const x = right - codeSide + quietZone.squares * module;
  const y = margin + quietZone.squares * module;
  for (const [at, line, width] of code.runs)
    document.rect(x + at * module, y + line * module, width * module, module);
  document.fill('#000000');
};

/**
 * Draws the title, the totals and the participants. Returns the position at which the list begins.
 */
const opening = (pen: Pen, content: HandoverContent, words: HandoverWords): number => {
  const { handover, language } = content;
  const width = right - margin - codeSide - 12;
  put(pen, words.title, { x: margin, baseline: margin + 18, width: 220, size: 18, weight: 'bold' });
  put(pen, words.no(handover.id), {
    x: margin + 224,
    baseline: margin + 18,
    width: width - 224,
    size: 11,
  });
  put(pen, words.made(content.made_by, minuteText(content.made_at)), {
    x: margin,
    baseline: margin + 34,
    width,
    color: ink.calm,
  });
  const facts = [
    [words.station, handover.station_name],
    [words.carrier, providers[handover.provider][language]],
    [words.opened, minuteText(handover.opened_at)],
    [words.closed, handover.ended_at === null ? words.none : minuteText(handover.ended_at)],
    [words.by, handover.ended_by_nickname ?? words.none],
    [words.courier, handover.courier_name || words.none],
  ] as const;
  facts.forEach(([title, text], at) => {
    const x = margin + (at % 2) * (width / 2);
    const y = margin + 52 + Math.floor(at / 2) * 15;
    put(pen, title, { x, baseline: y, width: 74, color: ink.calm });
    put(pen, text, { x: x + 78, baseline: y, width: width / 2 - 84, size: 9 });
  });
  put(pen, words.note, { x: margin, baseline: margin + 97, width: 74, color: ink.calm });
  put(pen, handover.note || words.none, {
    x: margin + 78,
    baseline: margin + 97,
    width: width - 78,
    size: 9,
  });
  drawCode(pen, content.address);
  put(pen, words.code, {
    x: right - codeSide - 40,
    baseline: margin + codeSide + 8,
    width: codeSide + 40,
    size: 7,
    color: ink.calm,
    align: 'right',
  });
  const y = margin + 106;
  rule(pen, y, ink.strong);
  const figures = [
    [words.parcels, String(handover.parcels)],
    [words.packages, String(handover.packages)],
    [words.missing, String(handover.missing ?? 0)],
  ] as const;
  putFigures(pen, figures, y);
  rule(pen, y + 44);
  return y + 56;
};

interface Line {
  items: readonly { no: number; delivery_id: string; package: string; at: string }[];
}

const columnsOf = (words: HandoverWords): Column<Line>[] => {
  const width = (right - margin) / across;
  return Array.from({ length: across }, (_, at): Column<Line>[] => [
    {
      title: words.seq,
      width: 34,
      align: 'right',
      cell: ({ items }) => String(items[at]?.no ?? ''),
    },
    { title: words.waybill, width: 112, cell: ({ items }) => items[at]?.delivery_id ?? '' },
    { title: words.package, width: 36, cell: ({ items }) => items[at]?.package ?? '' },
    { title: words.time, width: width - 182, cell: ({ items }) => items[at]?.at ?? '' },
  ]).flat();
};

const packages = (
  pen: Pen,
  content: HandoverContent,
  words: HandoverWords,
  from: number,
): number => {
  const columns = columnsOf(words);
  const items = content.packages.map(({ delivery_id, package_no, package_count, at }, index) => ({
    no: index + 1,
    delivery_id,
    package: `${package_no}/${package_count}`,
    at: minuteText(at),
  }));
  let y = head(pen, columns, from);
  for (let at = 0; at < items.length; at += across) {
    if (y + rowHeight > bottom) y = head(pen, columns, newPage(pen));
    y = row(pen, columns, { items: items.slice(at, at + across) }, { y });
    rule(pen, y, ink.head);
  }
  return y + 6;
};

/** The number of missing parcels in one line. */
const missingAcross = 4;

const missing = (
  pen: Pen,
  { missing: { parcels, items } }: HandoverContent,
  words: HandoverWords,
  from: number,
): number => {
  if (parcels === 0) return from;
  let y = from + 2 * rowHeight > bottom ? newPage(pen) : from;
  put(pen, words.missing_title, {
    x: margin,
    baseline: y + 12,
    width: right - margin,
    size: 9,
    weight: 'bold',
  });
  y += rowHeight + 4;
  const width = (right - margin) / missingAcross;
  for (let at = 0; at < items.length; at += missingAcross) {
    if (y + rowHeight > bottom) y = newPage(pen);
    items
      .slice(at, at + missingAcross)
      .forEach(({ delivery_id, package_count, ...of }, place) =>
        put(
          pen,
          package_count === 1 ? delivery_id : `${delivery_id} (${of.missing}/${package_count})`,
          { x: margin + place * width, baseline: y + 10, width: width - 6 },
        ),
      );
    y += rowHeight;
  }
  if (parcels > items.length) {
    put(pen, words.missing_more(parcels - items.length), {
      x: margin,
      baseline: y + 10,
      width: right - margin,
    });
    y += rowHeight;
  }
  return y;
};

/** The list of a closed hand-over on A4, with its QR code and room for the courier to sign. */
export const drawHandover = (content: HandoverContent, faces: Typefaces): Promise<Uint8Array> => {
  const words = handoverWords(content.language);
  const { id, station_name } = content.handover;
  return drawPages(
    { title: `${words.title} ${id} ${station_name}`, at: content.made_at, faces },
    (pen) => {
      const listed = packages(pen, content, words, opening(pen, content, words));
      signature(pen, words, missing(pen, content, words, listed));
    },
    { text: `${words.title} ${words.no(id)} · ${station_name}`, page: words.page },
  );
};
