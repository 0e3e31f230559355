import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from 'playwright-core';

// npm run photos -- compare BEFORE AFTER lists how much each photograph differs, the largest
// difference first.

const [before, after] = process.argv.slice(2) as [string, string];
const read = (folder: string, name: string): string =>
  readFileSync(join(folder, name)).toString('base64');

/** The share of pixels whose colours clearly differ. This function runs inside a page. */
const differing = async ([one, other]: [string, string]): Promise<number> => {
  const pixels = async (png: string): Promise<ImageData> => {
    const image = await createImageBitmap(
      await (await fetch(`data:image/png;base64,${png}`)).blob(),
    );
    const context = new OffscreenCanvas(image.width, image.height).getContext('2d')!;
    context.drawImage(image, 0, 0);
    return context.getImageData(0, 0, image.width, image.height);
  };
  const [left, right] = [await pixels(one), await pixels(other)];
  if (left.width !== right.width || left.height !== right.height) return 1;
  let count = 0;
  for (let at = 0; at < left.data.length; at += 4)
    if (
      [0, 1, 2].some(
        (channel) => Math.abs(left.data[at + channel]! - right.data[at + channel]!) > 24,
      )
    )
      count += 1;
  return count / (left.data.length / 4);
};

const names = (folder: string): string[] =>
  readdirSync(folder).filter((name) => name.endsWith('.png'));
const browser = await chromium.launch({
  executablePath: process.env['CHROMIUM']!,
  args: ['--no-sandbox', '--disable-dev-shm-usage'],
});
const page = await browser.newPage();
const shares: { name: string; share: number }[] = [];
for (const name of names(before).filter((each) => existsSync(join(after, each))))
  shares.push({
    name,
    share: await page.evaluate(differing, [read(before, name), read(after, name)] as [
      string,
      string,
    ]),
  });
await browser.close();
const missing = names(before).filter((name) => !existsSync(join(after, name)));
const added = names(after).filter((name) => !existsSync(join(before, name)));
for (const { name, share } of shares.toSorted((a, b) => b.share - a.share))
  console.log(`${(share * 100).toFixed(2).padStart(6)} %  ${name}`);
for (const name of missing) console.log(`missing   ${name}`);
for (const name of added) console.log(`added     ${name}`);
console.log(
  `${shares.length} compared, ${shares.filter(({ share }) => share === 0).length} alike, ${missing.length} missing, ${added.length} added`,
);
