/**
 * Measures two tasks by keyboard only: ordering thirty parcels from a pasted chat, and scanning a
 * label until the drawer of its parcel is open.
 */
import type { Browser } from 'playwright-core';
import { openPage } from '#browser/chromium.ts';
import { handOn } from '#browser/hand.ts';
import { pause } from '#browser/program.ts';
import { clientOf } from './orders.ts';

const timeoutMs = 30_000;

interface Place {
  url: string;
  token: string;
}

/** A pasted chat of thirty people. Each message contains the address of one person. */
const names = Array.from(
  { length: 30 },
  (_, at) =>
    `${'赵钱孙李周吴郑王冯陈'[at % 10]!}${'建丽晓'[Math.floor(at / 10)]!}${'伟芳娜敏静强磊军洋勇'[(at * 3) % 10]!}`,
);
const chat = names
  .map(
    (name, at) =>
      `${name} 139001391${String(at).padStart(2, '0')}\n上海市浦东新区世纪大道${100 + at}号`,
  )
  .join('\n\n');

/**
 * Measures a task with thirty people: pasting the chat, checking the list, typing one weight, and
 * ordering all parcels with one action.
 */
export const chatParcels = async (
  browser: Browser,
  place: Place,
): Promise<{ total: number; waited: number; keys: number; settled: number }> => {
  const { page, close } = await openPage(browser, { throttled: false, token: place.token });
  await page
    .context()
    .grantPermissions(['clipboard-read', 'clipboard-write'], { origin: place.url });
  await page.goto(`${place.url}/#/model/store`);
  await page.waitForFunction(
    () => (document.querySelector('[name="sender.name"]') as HTMLInputElement | null)?.value,
    undefined,
    { timeout: timeoutMs },
  );
  await page.locator('[name="goods"]').click();
  await page.getByRole('option', { name: '文件' }).click();
  await page.getByRole('textbox', { name: '粘贴整段收件信息，回车识别' }).focus();
  await page.evaluate((value) => navigator.clipboard.writeText(value), chat);
  const hand = handOn(page);
  const from = performance.now();
  await hand.decide();
  await hand.press('ControlOrMeta+v');
  await hand.press('Enter');
  const list = page.getByRole('region', { name: `${names.length} 位收件人` });
  await hand.wait(() => list.waitFor({ timeout: timeoutMs }));
  // The list marks three rows that have uncertain parts, so the person checks only these rows.
  for (let look = 0; look < 3; look++) await hand.decide();
  await hand.type('1.2');
  await hand.press('F8');
  await hand.wait(() => list.waitFor({ state: 'hidden', timeout: timeoutMs }));
  const total = performance.now() - from;
  const accepted = async (): Promise<number> =>
    (await clientOf(place).listParcels({ tab: 'awaiting_pickup', page_size: 100 })).items.filter(
      ({ receive_name }) => names.includes(receive_name),
    ).length;
  for (
    const until = Date.now() + 2 * timeoutMs;
    (await accepted()) < names.length;
    await pause(100)
  )
    if (Date.now() > until)
      throw new Error(`${await accepted()} of ${names.length} parcels of the chat were accepted`);
  const settled = performance.now() - from - total;
  await close();
  return { total, waited: hand.waited(), keys: hand.keys(), settled };
};

/**
 * Measures how a person opens ten parcels by scanning in bench mode. At the beginning a field has
 * the focus.
 */
export const scanParcels = async (
  browser: Browser,
  place: Place,
): Promise<{ count: number; waited: number; slowest: number }> => {
  const { items } = await clientOf(place).listParcels({ tab: 'signed', page_size: 10 });
  const parcels = items.map(({ delivery_id }) => delivery_id!);
  const { page, close } = await openPage(browser, { throttled: false, token: place.token });
  await page.goto(`${place.url}/#/model/store`);
  const box = page.getByRole('textbox', { name: '粘贴整段收件信息，回车识别' });
  await box.waitFor({ timeout: timeoutMs });
  await page.keyboard.press('Alt+b');
  await page.getByRole('button', { name: /^退出工位模式/ }).waitFor({ timeout: timeoutMs });
  await box.focus();
  const wire = await page.context().newCDPSession(page);
  const hand = handOn(page);
  let slowest = 0;
  for (const delivery_id of parcels) {
    await hand.decide();
    const [before, at] = [hand.waited(), Date.now() / 1_000];
    await hand.wait(async () => {
      for (const [index, character] of [...delivery_id, '\r'].entries()) {
        const [code, key] =
          character === '\r'
            ? ['Enter', 'Enter']
            : [/\d/.test(character) ? `Digit${character}` : `Key${character}`, character];
        const press = {
          code,
          key,
          windowsVirtualKeyCode: character.charCodeAt(0),
          timestamp: at + index * 0.01,
        };
        await wire.send('Input.dispatchKeyEvent', { ...press, type: 'keyDown', text: character });
        await wire.send('Input.dispatchKeyEvent', { ...press, type: 'keyUp' });
      }
      await page
        .getByRole('dialog', { name: new RegExp(delivery_id) })
        .waitFor({ timeout: timeoutMs });
    });
    slowest = Math.max(slowest, hand.waited() - before);
  }
  await close();
  return { count: parcels.length, waited: hand.waited(), slowest };
};
