import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { openTypefaces } from '#domain/documents/typefaces.ts';
import { blankBitmap, isBlack, setDot } from './bitmap.ts';
import type { Bitmap } from './bitmap.ts';
import { composeLabel } from './label-content.ts';
import type { LabelFormat, LabelInput } from './label-input.ts';
import { renderLabels, stopLabels } from './labels.ts';
import { layoutLabel } from './layout.ts';
import type { Box, Item, Page } from './page.ts';
import { rasterizer } from './raster.ts';
import type { Offset } from './raster.ts';
import { burnt, codesOn, openPdf, picture, printerScale } from './reading.ts';
import type { Picture } from './reading.ts';
import { mostBitmapPages, openRenderer, renderSheet } from './render.ts';
import { sampleLabel } from './sample.ts';
import { zplOf } from './zpl.ts';

afterAll(stopLabels);

const faces = openTypefaces();
const renderer = openRenderer(faces);
const rasterize = rasterizer(faces);
const pageOf = (label: LabelInput, format: LabelFormat): Page =>
  layoutLabel(composeLabel(label)[0]!, format, faces);
const bitmapOf = (format: LabelFormat, offset?: Offset): Bitmap =>
  rasterize(pageOf(sampleLabel, format), offset);

const pictureOf = (bitmap: Bitmap): Picture => {
  const { width, height } = bitmap;
  const data = new Uint8ClampedArray(width * height * 4).fill(255);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++)
      if (isBlack(bitmap, x, y)) data.fill(0, (y * width + x) * 4, (y * width + x) * 4 + 3);
  return { width, height, data };
};

/**
 * Interprets the ZPL command `^GFA` as a printer would. It was written from the documentation of
 * ZPL only, not from our encoder.
 */
const decoded = (zpl: string): { bitmap: Bitmap; rest: string } => {
  const [whole, total, , perRow, data] = /\^GFA,(\d+),(\d+),(\d+),([^^]*)\^FS/.exec(zpl)!;
  const bytesPerRow = Number(perRow);
  const rows: string[] = [];
  let row = '';
  let count = 0;
  const take = (digit: string, times: number): void => {
    row += digit.repeat(times);
    while (row.length >= bytesPerRow * 2) {
      rows.push(row.slice(0, bytesPerRow * 2));
      row = row.slice(bytesPerRow * 2);
    }
  };
  for (const sign of data!) {
    if (sign === ',') take('0', bytesPerRow * 2 - row.length);
    else if (sign === '!') take('F', bytesPerRow * 2 - row.length);
    else if (sign === ':') rows.push(rows.at(-1)!);
    else if (sign >= 'G' && sign <= 'Y') count += sign.charCodeAt(0) - 'F'.charCodeAt(0);
    else if (sign >= 'g' && sign <= 'z') count += (sign.charCodeAt(0) - 'f'.charCodeAt(0)) * 20;
    else {
      take(sign, count || 1);
      count = 0;
    }
  }
  const bytes = new Uint8Array(Buffer.from(rows.join(''), 'hex'));
  expect(bytes.length).toBe(Number(total));
  return {
    bitmap: { width: bytesPerRow * 8, height: rows.length, bytesPerRow, bytes },
    rest: zpl.replace(whole, ''),
  };
};

const inkOf = (
  { width, height, data }: Picture,
  { x, y, w, h }: Box = { x: 0, y: 0, w: width, h: height },
): number => {
  let ink = 0;
  for (let row = Math.floor(y); row < y + h; row++)
    for (let column = Math.floor(x); column < x + w; column++)
      if (data[(row * width + column) * 4]! < 128) ink++;
  return ink;
};

/**
 * Returns a label as the bitmap for the printer, and as the PDF drawn at the printer's resolution.
 */
const both = async (label: LabelInput, format: LabelFormat): Promise<[Picture, Picture]> => {
  const { file } = await renderSheet([label], format, renderer);
  return [
    pictureOf(rasterize(pageOf(label, format))),
    burnt(await picture(await openPdf(file!), 1, printerScale)),
  ];
};

const rareBoxes = ({ lines, size }: Extract<Item, { kind: 'text' }>): Box[] =>
  lines.flatMap((line) =>
    line.runs
      .filter(({ face }) => face === 'rare')
      .map((run) => ({
        x: line.x + run.x,
        y: line.baseline - size,
        w: [...run.text].length * size,
        h: size * 1.2,
      })),
  );

describe('a label as a bitmap of whole dots', () => {
  it.each(['76x130', '100x150', '100x180'] as const)(
    'a label’s bitmap has codes on %s that an independent reader reads',
    async (format) => {
      const codes = await codesOn(pictureOf(bitmapOf(format)));
      expect(codes.filter((code) => code.format === 'Code128').map(({ text }) => text)).toEqual([
        'JDVE00000000017-1-1-',
        'JDVE00000000017',
      ]);
    },
  );

  it.each(['76x130', '100x150', '100x180'] as const)(
    'a label’s bitmap has a square code on %s if the carrier gives one',
    async (format) => {
      const page = pageOf(
        {
          ...sampleLabel,
          print_data: {
            ...(sampleLabel.print_data as object),
            qrcode_url: 'https://carrier.example/q/1',
          },
        },
        format,
      );
      const codes = await codesOn(pictureOf(rasterize(page)));
      expect(codes).toContainEqual({ format: 'QRCode', text: 'https://carrier.example/q/1' });
    },
  );

  it.each(['76x130', '100x150', '100x180'] as const)(
    'a label’s bitmap has as much ink on %s as the PDF at the same resolution, and in the same places',
    async (format) => {
      const [drawn, printed] = await both(sampleLabel, format);
      expect([drawn.width, drawn.height]).toEqual([printed.width, printed.height]);
      expect(inkOf(drawn) / inkOf(printed)).toBeGreaterThan(0.94);
      expect(inkOf(drawn) / inkOf(printed)).toBeLessThan(1.06);
      const differs = drawn.data.filter(
        (value, at) => at % 4 === 0 && value < 128 !== printed.data[at]! < 128,
      ).length;
      // The outline of a character may differ by one dot; nothing else may differ.
      expect(differs / (drawn.width * drawn.height)).toBeLessThan(0.02);
    },
  );

  it.each(['76x130', '100x150', '100x180'] as const)(
    'a label’s bitmap prints rare characters on %s as heavily as the PDF',
    async (format) => {
      const label = {
        ...sampleLabel,
        sender_address: '𨭎山路𠮷𠮷号',
        receive_name: '𠮷田',
        receive_address: '𨭎山路12号𠀀𠀁大厦',
      };
      const [drawn, printed] = await both(label, format);
      const boxes = pageOf(label, format).items.flatMap((item) =>
        item.kind === 'text' ? rareBoxes(item) : [],
      );
      expect(boxes.length).toBeGreaterThanOrEqual(4);
      for (const box of boxes) {
        const share = inkOf(drawn, box) / inkOf(printed, box);
        expect(share).toBeGreaterThan(0.85);
        expect(share).toBeLessThan(1.15);
      }
    },
  );

  it.each(['T', 'WM', 'WWWWWW', '𠮷京'])(
    'a label’s bitmap has only the contour of %s where the layout asks for it',
    async (cover_code) => {
      const label = {
        ...sampleLabel,
        print_data: { ...(sampleLabel.print_data as object), cover_code },
      };
      const [drawn, printed] = await both(label, '76x130');
      const { box } = pageOf(label, '76x130').items.find(
        (item) => item.kind === 'text' && item.ink === 'outline',
      )!;
      const share = inkOf(drawn, box) / inkOf(printed, box);
      expect(share).toBeGreaterThan(0.9);
      expect(share).toBeLessThan(1.1);
    },
  );

  it('an offset of a label moves every printed dot by the same distance', () => {
    const [there, moved] = [bitmapOf('76x130'), bitmapOf('76x130', { x: 9, y: -13 })];
    for (let y = 0; y < there.height - 13; y += 7)
      for (let x = 0; x < there.width - 9; x += 5)
        expect(isBlack(moved, x + 9, y)).toBe(isBlack(there, x, y + 13));
  });
});

describe('a label file in ZPL', () => {
  it('ZPL encodes any bitmap without loss', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 40 }),
        fc.array(
          fc.tuple(fc.constantFrom(0, 0, 0, 255, 255, 16, 171), fc.integer({ min: 1, max: 900 })),
          { minLength: 1, maxLength: 12 },
        ),
        (bytesPerRow, runs) => {
          const all = runs.flatMap(([value, count]) => Array.from({ length: count }, () => value));
          const height = Math.max(1, Math.ceil(all.length / bytesPerRow));
          const bytes = Uint8Array.from({ length: height * bytesPerRow }, (_, at) => all[at] ?? 0);
          expect(
            decoded(zplOf({ width: bytesPerRow * 8, height, bytesPerRow, bytes })).bitmap.bytes,
          ).toEqual(bytes);
        },
      ),
    );
  });

  it('a compressed ZPL label is at most a quarter as long as its uncompressed hexadecimal digits', () => {
    const bitmap = bitmapOf('76x130');
    const zpl = zplOf(bitmap);
    expect(decoded(zpl).bitmap.bytes).toEqual(bitmap.bytes);
    expect(zpl.length).toBeLessThan(bitmap.bytes.length / 2);
  });

  it('a ZPL label states its paper size and darkness, and keeps the printer’s darkness setting if no darkness is given', () => {
    const bitmap = blankBitmap(608, 1040);
    setDot(bitmap, 607, 1039, true);
    expect(decoded(zplOf(bitmap, 7)).rest).toBe('~SD07\n^XA^PW608^LL1040^LH0,0\n^FO0,0\n^PQ1^XZ\n');
    expect(zplOf(bitmap)).not.toContain('~SD');
  });

  it('a ZPL file has one document for each package, in order, and no document for a label that cannot be drawn', async () => {
    const { file, pages, failures } = await renderSheet(
      [{ ...sampleLabel, package_count: 2 }, { ...sampleLabel, delivery_id: '' }, sampleLabel],
      '76x130',
      renderer,
      { driver: 'zpl', darkness: 12 },
    );
    const documents = new TextDecoder().decode(file!).split('^XZ\n').slice(0, -1);
    const codes = await Promise.all(
      documents.map(async (zpl) => (await codesOn(pictureOf(decoded(zpl).bitmap)))[0]!.text),
    );
    expect(codes).toEqual(['JDVE00000000017-1-2-', 'JDVE00000000017-2-2-', 'JDVE00000000017-1-1-']);
    expect([pages, failures.map(({ index }) => index)]).toEqual([3, [1]]);
  });

  it.each([
    [24, -16],
    [-9, 40],
    [-608, 0],
  ])(
    'the drawing thread reports the same failures and warnings for ZPL as for PDF, and moves a ZPL label by %i and %i dots',
    async (offset_x, offset_y) => {
      const labels = [
        { ...sampleLabel, receive_address: '长'.repeat(300) },
        { ...sampleLabel, delivery_id: '' },
        sampleLabel,
      ];
      const asPdf = await renderLabels(labels, '76x130');
      const asZpl = await renderLabels(labels, '76x130', {
        driver: 'zpl',
        darkness: 30,
        offset_x,
        offset_y,
      });
      expect({ ...asZpl, file: null }).toEqual({ ...asPdf, file: null });
      const documents = new TextDecoder().decode(asZpl.file!).split(/(?<=\^XZ\n)/);
      expect(documents.map((zpl) => zpl.split('\n')[0])).toEqual(['~SD30', '~SD30']);
      expect(decoded(documents[1]!).bitmap).toEqual(
        bitmapOf('76x130', { x: offset_x, y: offset_y }),
      );
    },
  );

  it('a ZPL file contains only printable ASCII characters and line feeds', async () => {
    const { file } = await renderSheet([sampleLabel], '100x150', renderer, { driver: 'zpl' });
    expect(new TextDecoder().decode(file!)).toMatch(/^[\n -~]+$/);
  });

  it('a ZPL file with more than five hundred pages is refused', async () => {
    await expect(
      renderSheet([{ ...sampleLabel, package_count: mostBitmapPages + 1 }], '76x130', renderer, {
        driver: 'zpl',
      }),
    ).rejects.toMatchObject({
      code: 'labels_too_many',
      params: { max: mostBitmapPages },
    });
  });
});
