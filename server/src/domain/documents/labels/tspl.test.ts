import { afterAll, describe, expect, it } from 'vitest';
import { blankBitmap, setDot } from './bitmap.ts';
import type { LabelFormat } from './label-input.ts';
import { renderLabels, stopLabels } from './labels.ts';
import { burnt, codesOn, openPdf, picture, printerScale } from './reading.ts';
import type { Picture } from './reading.ts';
import { mostBitmapPages } from './render.ts';
import { sampleLabel } from './sample.ts';
import { tsplOf } from './tspl.ts';

afterAll(stopLabels);

/**
 * Interprets TSPL commands as a printer would. It was written from the documentation of TSPL only,
 * not from our encoder.
 */
const burnedBy = (tspl: Uint8Array): { commands: string[]; pictures: Picture[] } => {
  const text = Buffer.from(tspl).toString('latin1');
  const commands: string[] = [];
  const pictures: Picture[] = [];
  for (let at = 0; at < text.length;) {
    const bitmap = /^BITMAP (\d+),(\d+),(\d+),(\d+),0,/.exec(text.slice(at, at + 60));
    const end = bitmap ? at + bitmap[0].length : text.indexOf('\r\n', at);
    commands.push(text.slice(at, end));
    at = end;
    if (bitmap) {
      const [width, height] = [Number(bitmap[3]) * 8, Number(bitmap[4])];
      const data = new Uint8ClampedArray(width * height * 4).fill(255);
      for (let y = 0; y < height; y++)
        for (let x = 0; x < width; x++) {
          const byte = tspl[at + y * (width / 8) + (x >> 3)]!;
          if ((byte & (0x80 >> (x & 7))) === 0)
            data.fill(0, (y * width + x) * 4, (y * width + x) * 4 + 3);
        }
      pictures.push({ width, height, data });
      at += (width / 8) * height;
    }
    at += 2;
  }
  return { commands, pictures };
};

describe('a label file in TSPL', () => {
  it('a small bitmap becomes exactly the expected TSPL bytes: paper, darkness, and zeros for printed dots', () => {
    const bitmap = blankBitmap(16, 2);
    setDot(bitmap, 0, 0, true);
    setDot(bitmap, 15, 1, true);
    expect(Buffer.from(tsplOf(bitmap, 8)).toString('latin1')).toBe(
      'SIZE 2 mm,0.25 mm\r\nDENSITY 8\r\nDIRECTION 0\r\nREFERENCE 0,0\r\nCLS\r\nBITMAP 0,0,2,2,0,\x7f\xff\xff\xfe\r\nPRINT 1,1\r\n',
    );
    expect(Buffer.from(tsplOf(bitmap)).toString('latin1')).not.toContain('DENSITY');
  });

  it.each(['76x130', '100x150', '100x180'] as const)(
    'a TSPL label of %s has the same dots as the PDF at 203 dpi, and an independent reader reads its codes',
    async (format) => {
      const [{ file }, pdf] = await Promise.all([
        renderLabels([sampleLabel], format, { driver: 'tspl' }),
        renderLabels([sampleLabel], format),
      ]);
      const { pictures } = burnedBy(file!);
      const [drawn] = pictures as [Picture];
      expect((await codesOn(drawn)).map(({ text }) => text)).toEqual([
        'JDVE00000000017-1-1-',
        'JDVE00000000017',
      ]);
      const printed = burnt(await picture(await openPdf(pdf.file!), 1, printerScale));
      expect([drawn.width, drawn.height]).toEqual([printed.width, printed.height]);
      const differs = drawn.data.filter(
        (value, at) => at % 4 === 0 && value < 128 !== printed.data[at]! < 128,
      ).length;
      // The outline of a character may differ by one dot; nothing else may differ.
      expect(differs / (drawn.width * drawn.height)).toBeLessThan(0.02);
    },
  );

  it('a TSPL file has one label for each package, in order, and every label states its paper size', async () => {
    const { file, pages } = await renderLabels(
      [{ ...sampleLabel, package_count: 2 }, sampleLabel],
      '76x130',
      { driver: 'tspl', darkness: 15 },
    );
    const { commands, pictures } = burnedBy(file!);
    expect(commands.filter((command) => command.startsWith('SIZE'))).toEqual([
      'SIZE 76 mm,130 mm',
      'SIZE 76 mm,130 mm',
      'SIZE 76 mm,130 mm',
    ]);
    expect(commands.filter((command) => command === 'PRINT 1,1')).toHaveLength(pages);
    const codes = await Promise.all(pictures.map(async (each) => (await codesOn(each))[0]!.text));
    expect(codes).toEqual(['JDVE00000000017-1-2-', 'JDVE00000000017-2-2-', 'JDVE00000000017-1-1-']);
  });

  it('a TSPL file is refused if it has more than five hundred pages or is for A4 paper', async () => {
    const many = renderLabels([{ ...sampleLabel, package_count: mostBitmapPages + 1 }], '76x130', {
      driver: 'tspl',
    });
    await expect(many).rejects.toMatchObject({
      code: 'labels_too_many',
      params: { max: mostBitmapPages },
    });
    await expect(renderLabels([sampleLabel], 'a4', { driver: 'tspl' })).rejects.toMatchObject({
      code: 'label_paper_pdf',
    });
  });
});

describe('labels on sheets of A4', () => {
  const numbered = (no: number) => ({
    ...sampleLabel,
    delivery_id: `JDVE${String(no).padStart(11, '0')}`,
  });
  const format: LabelFormat = 'a4';

  it.each([
    [1, 5, [4, 1]],
    [4, 5, [1, 4]],
    [3, 2, [2]],
  ])(
    'labels on A4 paper that start at quarter %i, %i labels in all, fill the quarters row by row, with every bar code inside its quarter',
    async (start, count, onSheets) => {
      const { file, pages } = await renderLabels(
        Array.from({ length: count }, (_, no) => numbered(no + 1)),
        format,
        { start },
      );
      const document = await openPdf(file!);
      expect([pages, document.numPages]).toEqual([count, onSheets.length]);
      const [, , w, h] = (await document.getPage(1)).view as [number, number, number, number];
      expect([(w / 72) * 25.4, (h / 72) * 25.4]).toEqual([
        expect.closeTo(210, 1),
        expect.closeTo(297, 1),
      ]);
      const read: number[] = [];
      for (let number = 1; number <= document.numPages; number++) {
        const { width, height, data } = burnt(await picture(document, number, printerScale));
        for (let place = 0; place < 4; place++) {
          const [cellWidth, cellHeight] = [Math.floor(width / 2), Math.floor(height / 2)];
          const cell = new Uint8ClampedArray(cellWidth * cellHeight * 4);
          for (let y = 0; y < cellHeight; y++) {
            const from =
              ((y + Math.floor(place / 2) * cellHeight) * width + (place % 2) * cellWidth) * 4;
            cell.set(data.subarray(from, from + cellWidth * 4), y * cellWidth * 4);
          }
          const codes = await codesOn({ width: cellWidth, height: cellHeight, data: cell });
          read.push(codes.length === 0 ? 0 : Number(codes.at(-1)!.text.slice(4)));
        }
      }
      const before = Array.from({ length: start - 1 }, () => 0);
      const labels = Array.from({ length: count }, (_, no) => no + 1);
      expect(read.slice(0, start - 1 + count)).toEqual([...before, ...labels]);
      expect(read.slice(start - 1 + count).every((each) => each === 0)).toBe(true);
    },
  );
});

describe('labels as one PDF per parcel', () => {
  it('labels requested as separate files are one PDF for each parcel, with one page for each package; a label that cannot be drawn has no PDF', async () => {
    const labels = [
      { ...sampleLabel, package_count: 2 },
      { ...sampleLabel, delivery_id: '' },
      sampleLabel,
    ];
    const { file, files, pages, failures } = await renderLabels(labels, '76x130', {
      separate: true,
    });
    expect([file, pages, failures.map(({ index }) => index)]).toEqual([null, 3, [1]]);
    const documents = await Promise.all(
      files.map(async (each) => [each.index, (await openPdf(each.file)).numPages]),
    );
    expect(documents).toEqual([
      [0, 2],
      [2, 1],
    ]);
  });
});
