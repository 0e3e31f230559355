import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createCanvas } from '@napi-rs/canvas';
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs';
import type { PDFDocumentProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader';

// Reads printed labels in tests, with programs that are independent of the product.

export interface Picture {
  width: number;
  height: number;
  data: Uint8ClampedArray;
}

const require = createRequire(import.meta.url);
const wasm = readFileSync(require.resolve('zxing-wasm/reader/zxing_reader.wasm'));
prepareZXingModule({
  overrides: {
    wasmBinary: wasm.buffer.slice(
      wasm.byteOffset,
      wasm.byteOffset + wasm.byteLength,
    ) as ArrayBuffer,
  },
});

/** The scale at which one dot of a 203 dpi printer is one pixel. */
export const printerScale = 203.2 / 72;

export const openPdf = (pdf: Uint8Array): Promise<PDFDocumentProxy> =>
  getDocument({ data: pdf.slice(), verbosity: 0 }).promise;

export const picture = async (
  document: PDFDocumentProxy,
  number: number,
  scale: number,
): Promise<Picture> => {
  const page = await document.getPage(number);
  const viewport = page.getViewport({ scale });
  const canvas = createCanvas(Math.round(viewport.width), Math.round(viewport.height));
  const context = canvas.getContext('2d');
  context.fillStyle = 'white';
  context.fillRect(0, 0, canvas.width, canvas.height);
  await page.render({ canvas: null, canvasContext: context as never, viewport }).promise;
  const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
  return { width: canvas.width, height: canvas.height, data };
};

/** Converts a picture to black and white dots, as a thermal printer prints them. */
export const burnt = ({ width, height, data }: Picture): Picture => ({
  width,
  height,
  data: data.map((value, at) => (at % 4 === 3 ? 255 : data[at - (at % 4)]! < 128 ? 0 : 255)),
});

export interface Code {
  format: string;
  text: string;
}

/** Every code on a picture, from the top down. */
export const codesOn = async (image: Picture): Promise<Code[]> => {
  const found = await readBarcodes(image as never, {
    formats: ['Code128', 'QRCode'],
    tryHarder: true,
    maxNumberOfSymbols: 8,
  });
  return found
    .toSorted((a, b) => a.position.topLeft.y - b.position.topLeft.y)
    .map(({ format, text }) => ({ format, text }));
};

/** The text of a page, as a viewer's search would find it. */
export const wordsOf = async (document: PDFDocumentProxy, number: number): Promise<string> => {
  const { items } = await (await document.getPage(number)).getTextContent();
  return items.map((item) => ('str' in item ? item.str : '')).join('');
};
