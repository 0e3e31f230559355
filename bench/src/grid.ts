/**
 * Measures the grid in which 100,000 imported rows are corrected: frames while scrolling, the time
 * for F8 to the next error, memory, and the number of requested rows. The processor is not
 * throttled.
 */
import type { Page } from 'playwright-core';
import { startProduct as start } from '@waystation/e2e/harness/start-product.ts';
import { openPage, startBrowser } from './browser/chromium.ts';
import { atEnd, median, pause, runBench } from './browser/program.ts';

const rows = 100_000;
/** The distance in rows between two rows with an error. */
const errorEvery = 500;
const limits = { frame: 50, heap: 60, jump: 1_000 };
const password = 'waystation-demo';
const timeoutMs = 600_000;

const sheet = (): string => {
  const lines = ['收件人,手机,收件地址,物品,重量(kg),商家订单号'];
  for (let no = 1; no <= rows; no++)
    lines.push(
      `示例收件人 ${no},139${10_000_000 + no},上海市浦东新区示例路 ${no} 号,${no % errorEvery === 0 ? '文献' : '文件'},1.2,G${no}`,
    );
  return lines.join('\n');
};

const loggedIn = async (url: string): Promise<string> => {
  const body = JSON.stringify({ username: 'clerk', password });
  const answer = await fetch(`${url}/api/arco/login/password`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  });
  return ((await answer.json()) as { data: { access_token: string } }).data.access_token;
};

const uploaded = async (url: string, token: string): Promise<number> => {
  const headers = { authorization: `Bearer ${token}` };
  const form = new FormData();
  form.append('file', new File([sheet()], 'grid.csv'));
  const answer = (await (
    await fetch(`${url}/api/arco/imports`, { method: 'POST', headers, body: form })
  ).json()) as { data: { id: number; status: string } };
  const { id } = answer.data;
  for (const until = Date.now() + timeoutMs; ; await pause(1_000)) {
    const { data } = (await (await fetch(`${url}/api/arco/imports/${id}`, { headers })).json()) as {
      data: { status: string };
    };
    if (data.status === 'ready') return id;
    if (Date.now() > until) throw new Error(`the sheet is still ${data.status}`);
  }
};

/**
 * Scrolls the grid by `step` pixels per frame for `frames` frames. Returns the milliseconds between
 * the frames. This function runs in the browser page.
 */
const scroll = ({ step, frames }: { step: number; frames: number }): Promise<number[]> =>
  new Promise((resolve) => {
    const grid = document.querySelector<HTMLElement>('[role=grid]')!;
    const times: number[] = [];
    let before = performance.now();
    const next = (): void => {
      const now = performance.now();
      times.push(now - before);
      before = now;
      if (times.length >= frames) return resolve(times.slice(1));
      grid.scrollTop += step;
      requestAnimationFrame(next);
    };
    requestAnimationFrame(next);
  });

/** Measures the time from the key press F8 until the next wrong cell is marked. */
const jumps = async (page: Page, times: number): Promise<number[]> => {
  const took: number[] = [];
  await page.getByRole('grid').focus();
  for (let at = 0; at < times; at++) {
    const from = performance.now();
    await page.keyboard.press(at % 2 === 0 ? 'F8' : 'Shift+F8');
    await page.locator('[data-active][data-level=error]').waitFor({ timeout: 30_000 });
    took.push(performance.now() - from);
    // Moves to the other end of the sheet, where the row with the next error has not been loaded
    // yet.
    await page.keyboard.press(at % 2 === 0 ? 'End' : 'Home');
    await pause(300);
  }
  return took;
};

await runBench('grid', 20, async () => {
  const product = await start({
    name: 'bench-grid',
    env: { WAYSTATION_DEMO_PARCELS: '300', WAYSTATION_DEMO_PASSWORD: password },
  });
  atEnd(product.stop);
  const token = await loggedIn(product.url);
  const id = await uploaded(product.url, token);
  const { page, cdp } = await openPage(await startBrowser(), { throttled: false, token });
  let reads = 0;
  page.on('request', (request) => {
    reads += /\/imports\/\d+\/rows\?/.test(request.url()) ? 1 : 0;
  });
  const heap = async (): Promise<number> => {
    await cdp.send('HeapProfiler.collectGarbage');
    return (await cdp.send('Runtime.getHeapUsage')).usedSize / 1024 / 1024;
  };
  await page.goto(`${product.url}/#/model/import`);
  await page.getByRole('row').nth(1).waitFor();
  const alone = await heap();
  await page.goto(`${product.url}/#/model/import?id=${id}`);
  await page
    .locator('[role=gridcell][data-level=error], [role=gridcell][data-field=goods]')
    .first()
    .waitFor({ timeout: 60_000 });
  const opened = (await heap()) - alone;
  const slow = await page.evaluate(scroll, { step: 40, frames: 240 });
  const fast = await page.evaluate(scroll, { step: 9_000, frames: 240 });
  const took = await jumps(page, 10);
  const grown = (await heap()) - alone;
  const at = (times: readonly number[], share: number): number =>
    times.toSorted((a, b) => a - b)[Math.min(times.length - 1, Math.floor(times.length * share))]!;
  const words = (times: readonly number[]): string =>
    `median ${median(times).toFixed(1)} ms, 95 % within ${at(times, 0.95).toFixed(1)} ms, slowest ${Math.max(...times).toFixed(0)} ms`;
  const kept = [
    at(slow, 0.95) <= limits.frame,
    at(fast, 0.95) <= limits.frame,
    median(took) <= limits.jump,
    grown <= limits.heap,
  ];
  const word = (ok: boolean | undefined): string => (ok ? 'ok' : 'MISSED');
  console.log(
    `grid of ${rows} rows, a row a frame: ${words(slow)} (≤ ${limits.frame} ms for 95 %) ${word(kept[0])}`,
  );
  console.log(
    `grid of ${rows} rows, 250 rows a frame: ${words(fast)} (≤ ${limits.frame} ms for 95 %) ${word(kept[1])}`,
  );
  console.log(
    `F8 to the next of ${rows / errorEvery} errors, its row not read yet: ${words(took)} (median ≤ ${limits.jump} ms) ${word(kept[2])}`,
  );
  console.log(
    `heap +${opened.toFixed(1)} MB opened, +${grown.toFixed(1)} MB after scrolling (≤ ${limits.heap}) ${word(kept[3])}; ${reads} reads of 100 rows`,
  );
  return kept.every(Boolean);
});
