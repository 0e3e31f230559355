import type { LabelResult } from '@waystation/contract/parcels/express-calls.ts';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createCanvas } from '@napi-rs/canvas';
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader';

// Reads labels as a scanner does, with programs that share no code with the drawing of labels.

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

/** Three pixels per point, about 216 dpi. */
const scale = 3;

/** The Code 128 bar codes on each page of a PDF, from top to bottom. */
export const barcodesOf = async (pdf: Uint8Array): Promise<string[][]> => {
  const document = await getDocument({ data: new Uint8Array(pdf), verbosity: 0 }).promise;
  const pages: string[][] = [];
  for (let number = 1; number <= document.numPages; number += 1) {
    const page = await document.getPage(number);
    const viewport = page.getViewport({ scale });
    const canvas = createCanvas(Math.round(viewport.width), Math.round(viewport.height));
    const context = canvas.getContext('2d');
    context.fillStyle = 'white';
    context.fillRect(0, 0, canvas.width, canvas.height);
    await page.render({ canvas: null, canvasContext: context as never, viewport }).promise;
    const image = context.getImageData(0, 0, canvas.width, canvas.height);
    const found = await readBarcodes(image as never, {
      formats: ['Code128'],
      tryHarder: true,
      maxNumberOfSymbols: 8,
    });
    pages.push(
      found.toSorted((a, b) => a.position.topLeft.y - b.position.topLeft.y).map(({ text }) => text),
    );
  }
  return pages;
};

/** Splits the server's response into the file with the labels and the result for each parcel. */
export const labelAnswer = async (
  body: Uint8Array,
  contentType: string,
): Promise<{ file: Uint8Array; result: LabelResult }> => {
  const form = await new Response(new Uint8Array(body), {
    headers: { 'content-type': contentType },
  }).formData();
  const file = new Uint8Array(await (form.get('file') as File).arrayBuffer());
  return { file, result: JSON.parse(form.get('result') as string) as LabelResult };
};
