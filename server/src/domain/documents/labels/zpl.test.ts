import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openTypefaces } from '#domain/documents/typefaces.ts';
import { blankBitmap, isBlack, setDot } from './bitmap.ts';
import type { Bitmap } from './bitmap.ts';
import { composeLabel } from './label-content.ts';
import type { LabelFormat } from './label-input.ts';
import { layoutLabel } from './layout.ts';
import { rasterizer } from './raster.ts';
import type { Offset } from './raster.ts';
import { burnt, codesOn, openPdf, picture, printerScale } from './reading.ts';
import type { Picture } from './reading.ts';
import { mostZplPages, openRenderer, renderSheet } from './render.ts';
import { sampleLabel } from './sample.ts';
import { zplOf } from './zpl.ts';

const faces = openTypefaces();
const renderer = openRenderer(faces);
const rasterize = rasterizer(faces);
const bitmapOf = (format: LabelFormat, offset?: Offset): Bitmap => rasterize(layoutLabel(composeLabel(sampleLabel)[0]!, format, faces), offset);

const pictureOf = (bitmap: Bitmap): Picture => {
  const { width, height } = bitmap;
  const data = new Uint8ClampedArray(width * height * 4).fill(255);
  for (let y = 0; y < height; y++) for (let x = 0; x < width; x++) if (isBlack(bitmap, x, y)) data.fill(0, (y * width + x) * 4, (y * width + x) * 4 + 3);
  return { width, height, data };
};

/** What a printer makes of `^GFA`, written from the language's description alone. */
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
  return { bitmap: { width: bytesPerRow * 8, height: rows.length, bytesPerRow, bytes }, rest: zpl.replace(whole, '') };
};

const inkOf = ({ data }: Picture): number => data.filter((value, at) => at % 4 === 0 && value < 128).length;

describe('a label as a bitmap of whole dots', () => {
  it.each(['76x130', '100x150'] as const)('has codes on %s that an independent reader reads', async (format) => {
    const codes = await codesOn(pictureOf(bitmapOf(format)));
    expect(codes.filter((code) => code.format === 'Code128').map(({ text }) => text)).toEqual(['JDVE00000000017-1-1-', 'JDVE00000000017']);
  });

  it('has a square code where the carrier gives one', async () => {
    const content = composeLabel({ ...sampleLabel, print_data: { ...(sampleLabel.print_data as object), qrcode_url: 'https://carrier.example/q/1' } })[0]!;
    const codes = await codesOn(pictureOf(rasterize(layoutLabel(content, '76x130', faces))));
    expect(codes.map(({ text }) => text)).toContain('https://carrier.example/q/1');
  });

  it.each(['76x130', '100x150'] as const)('has as much ink on %s as the PDF at the same resolution, and in the same places', async (format) => {
    const { file } = await renderSheet([sampleLabel], format, renderer);
    const printed = burnt(await picture(await openPdf(file!), 1, printerScale));
    const drawn = pictureOf(bitmapOf(format));
    expect([drawn.width, drawn.height]).toEqual([printed.width, printed.height]);
    expect(inkOf(drawn) / inkOf(printed)).toBeGreaterThan(0.94);
    expect(inkOf(drawn) / inkOf(printed)).toBeLessThan(1.06);
    const differs = drawn.data.filter((value, at) => at % 4 === 0 && value < 128 !== printed.data[at]! < 128).length;
    // Only edges of characters may fall on the next dot.
    expect(differs / (drawn.width * drawn.height)).toBeLessThan(0.02);
  });

  it('an offset moves every dot, and what leaves the paper is cut off', () => {
    const [there, moved] = [bitmapOf('76x130'), bitmapOf('76x130', { x: 9, y: -13 })];
    for (let y = 0; y < there.height - 13; y += 7)
      for (let x = 0; x < there.width - 9; x += 5) expect(isBlack(moved, x + 9, y)).toBe(isBlack(there, x, y + 13));
  });
});

describe('ZPL', () => {
  it('holds any bitmap without a loss', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 40 }),
        fc.array(fc.tuple(fc.constantFrom(0, 0, 0, 255, 255, 16, 171), fc.integer({ min: 1, max: 900 })), { minLength: 1, maxLength: 12 }),
        (bytesPerRow, runs) => {
          const all = runs.flatMap(([value, count]) => Array.from({ length: count }, () => value));
          const height = Math.max(1, Math.ceil(all.length / bytesPerRow));
          const bytes = Uint8Array.from({ length: height * bytesPerRow }, (_, at) => all[at] ?? 0);
          expect(decoded(zplOf({ width: bytesPerRow * 8, height, bytesPerRow, bytes })).bitmap.bytes).toEqual(bytes);
        },
      ),
    );
  });

  it('holds a label in a quarter of its digits', () => {
    const bitmap = bitmapOf('76x130');
    const zpl = zplOf(bitmap);
    expect(decoded(zpl).bitmap.bytes).toEqual(bitmap.bytes);
    expect(zpl.length).toBeLessThan(bitmap.bytes.length / 2);
  });

  it('names paper and darkness, and leaves the printer’s own darkness where none is given', () => {
    const bitmap = blankBitmap(608, 1040);
    setDot(bitmap, 607, 1039, true);
    expect(decoded(zplOf(bitmap, 7)).rest).toBe('~SD07\n^XA^PW608^LL1040^LH0,0\n^FO0,0\n^PQ1^XZ\n');
    expect(zplOf(bitmap)).not.toContain('~SD');
  });

  it('a file holds one document a piece, in order; a label that cannot be drawn leaves no trace', async () => {
    const { file, pages, failures } = await renderSheet(
      [{ ...sampleLabel, package_count: 2 }, { ...sampleLabel, delivery_id: '' }, sampleLabel],
      '76x130',
      renderer,
      { darkness: 12 },
    );
    const documents = new TextDecoder().decode(file!).split('^XZ\n').slice(0, -1);
    const codes = await Promise.all(documents.map(async (zpl) => (await codesOn(pictureOf(decoded(zpl).bitmap)))[0]!.text));
    expect(codes).toEqual(['JDVE00000000017-1-2-', 'JDVE00000000017-2-2-', 'JDVE00000000017-1-1-']);
    expect([pages, failures.map(({ index }) => index)]).toEqual([3, [1]]);
  });

  it('a file has no characters but those of a serial line', async () => {
    const { file } = await renderSheet([sampleLabel], '100x150', renderer, {});
    expect(new TextDecoder().decode(file!)).toMatch(/^[\n -~]+$/);
  });

  it('a file takes five hundred pages at most', async () => {
    await expect(renderSheet([{ ...sampleLabel, package_count: mostZplPages + 1 }], '76x130', renderer, {})).rejects.toMatchObject({
      code: 'labels_too_many',
      params: { max: mostZplPages },
    });
  });
});
