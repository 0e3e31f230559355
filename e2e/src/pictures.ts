import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';

/**
 * Takes pictures of screens and compares them with earlier pictures (docs/web.md). The example
 * network is created for each run with today's date, so people must judge the differences. `write`
 * stores new reference pictures. `compare` stores today's pictures beside the references and
 * reports how much of each has changed. No picture makes a test fail.
 */
const mode =
  process.env['WAYSTATION_PICTURES'] === '1'
    ? 'write'
    : process.env['WAYSTATION_PICTURES'] === 'compare'
      ? 'compare'
      : null;
/** True if this run takes pictures. */
export const picturesAreKept = mode !== null;
const baseline = join(import.meta.dirname, '..', 'baseline');
const today = join(import.meta.dirname, '..', 'test-results', 'pictures');
/**
 * The scenes whose pictures are stored. axe checks the other scenes, but their pictures are not
 * stored.
 */
const kept = /^(?:login|workplace|list|settings|not-found|error)-/;

/**
 * The share of pixels whose colours clearly differ, compared at a quarter of the pictures' size.
 * This function runs inside a page.
 */
const changedShare = async ([before, after]: [string, string]): Promise<number> => {
  const pixels = async (png: string): Promise<ImageData> => {
    const image = await createImageBitmap(
      new Blob([Uint8Array.from(atob(png), (letter) => letter.charCodeAt(0))], {
        type: 'image/png',
      }),
    );
    const context = new OffscreenCanvas(image.width / 4, image.height / 4).getContext('2d')!;
    context.drawImage(image, 0, 0, image.width / 4, image.height / 4);
    return context.getImageData(0, 0, image.width / 4, image.height / 4);
  };
  const [one, other] = [await pixels(before), await pixels(after)];
  if (one.width !== other.width || one.height !== other.height) return 1;
  let changed = 0;
  for (let at = 0; at < one.data.length; at += 4)
    if (
      [0, 1, 2].some(
        (channel) => Math.abs(one.data[at + channel]! - other.data[at + channel]!) > 40,
      )
    )
      changed += 1;
  return changed / (one.data.length / 4);
};

export const keepPicture = async (page: Page, name: string): Promise<void> => {
  if (mode === null || !kept.test(name)) return;
  const folder = mode === 'write' ? baseline : today;
  mkdirSync(folder, { recursive: true });
  const png = await page.screenshot({
    path: join(folder, `${name}.png`),
    animations: 'disabled',
    caret: 'hide',
  });
  const before = join(baseline, `${name}.png`);
  if (mode === 'write') return;
  if (!existsSync(before)) return void console.log(`${name}: new`);
  const share = await page.evaluate(changedShare, [
    readFileSync(before).toString('base64'),
    png.toString('base64'),
  ] as [string, string]);
  if (share > 0.005) console.log(`${name}: ${(share * 100).toFixed(1)} % has changed`);
};
