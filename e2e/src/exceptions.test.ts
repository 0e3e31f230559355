import { expect } from 'vitest';
import { violationsOf } from './axe.ts';
import { gone, inBrowser, inBrowserDaily, shows } from './browser.ts';
import { orderedParcel } from './ordered-parcel.ts';
import { notice, shownPage } from './shell.ts';
import { carrier, wireOf } from './wire.ts';

interface Counts {
  counts: Record<string, number>;
}

inBrowserDaily(
  'an exception is found by its kind, its recipient is called, and a note takes it off the board; both languages',
  async ({ open }) => {
    const station = await wireOf('station');
    const counts = async (): Promise<number> =>
      Object.values((await station.get<Counts>('/api/arco/expresses/exceptions')).counts).reduce(
        (sum, count) => sum + count,
        0,
      );
    const { id } = await orderedParcel(station);
    const { delivery_id, receive_phone } = await station.get<{
      delivery_id: string;
      receive_phone: string;
    }>(`/api/arco/expresses/${id}`);
    await carrier.ask('POST', `orders/${delivery_id}/jump`, { to: 'picked_up' });
    await carrier.ask('POST', `orders/${delivery_id}/events`, {
      category: 530,
      state: '10035',
      title: '拒收',
      remark: '收件人拒收',
    });
    await expect
      .poll(
        async () =>
          (await station.get<{ exception: string | null }>(`/api/arco/expresses/${id}`)).exception,
      )
      .toBe('refused');
    const before = await counts();
    const { page } = await open({ role: 'station', path: '/model/expresses?tab=exception' });
    const list = shownPage(page, 'ExpressTable');
    const board = list.getByRole('group', { name: '异常看板' });
    await board.getByRole('button', { name: `全部异常 ${before}` }).click();
    await expect.poll(() => page.url()).toContain('exception=any');
    const row = list.locator(`[data-row="${id}"]`);
    const { page: english } = await open({
      role: 'station',
      path: '/model/expresses?exception=any',
      language: 'en-US',
    });
    for (const [at, name] of [
      [row, /更多/],
      [shownPage(english, 'ExpressTable').locator(`[data-row="${id}"]`), /More/],
    ] as const) {
      const more = at.getByRole('button', { name });
      await shows(more);
      expect(
        await more.evaluate(
          (button) =>
            button.getBoundingClientRect().right <=
            button.closest('main')!.getBoundingClientRect().right,
        ),
      ).toBe(true);
    }
    await row.getByRole('button', { name: /更多/ }).click();
    await page.getByRole('menuitem', { name: '联系收件人' }).click();
    await shows(page.locator(`a[href="tel:${receive_phone}"]`));
    await row.getByRole('button', { name: /更多/ }).click();
    await shows(page.getByRole('menuitem', { name: '申请拦截' }));
    await page.keyboard.press('Escape');
    await row.getByRole('button', { name: '处理', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: /^处理异常/ });
    await dialog.getByRole('textbox', { name: '处理说明' }).fill('已致电，明日再送');
    await page.keyboard.press('Control+Enter');
    await shows(notice(page, /^已处理/));
    await gone(row);
    await shows(
      board.getByRole('button', { name: before === 1 ? /^全部异常/ : `全部异常 ${before - 1}` }),
    );
    await shows(
      shownPage(english, 'ExpressTable')
        .getByRole('group', { name: 'Exceptions' })
        .getByRole('button', { name: /^All exceptions/ }),
    );
  },
);

inBrowser(
  'the Workplace opens the board, where many exceptions are handled with one note; an entry of the timeline opens the parcel as it was',
  async ({ open }) => {
    const station = await wireOf('station');
    const ids: number[] = [];
    for (let no = 0; no < 2; no++) {
      const { id } = await orderedParcel(station);
      const { delivery_id } = await station.get<{ delivery_id: string }>(
        `/api/arco/expresses/${id}`,
      );
      await carrier.ask('POST', `orders/${delivery_id}/jump`, { to: 'picked_up' });
      await carrier.ask('POST', `orders/${delivery_id}/events`, {
        category: 530,
        state: '10035',
        title: '拒收',
        remark: '收件人拒收',
      });
      ids.push(id);
    }
    for (const id of ids)
      await expect
        .poll(
          async () =>
            (await station.get<{ exception: string | null }>(`/api/arco/expresses/${id}`))
              .exception,
        )
        .toBe('refused');
    const { page } = await open({ role: 'station', path: '/dashboard/workplace' });
    const card = page.getByRole('region', { name: '待处理异常' });
    await shows(card);
    expect(await violationsOf(page)).toEqual([]);
    await card.getByRole('link', { name: '查看异常' }).click();
    const list = shownPage(page, 'ExpressTable');
    for (const id of ids) await list.locator(`[data-row="${id}"]`).getByRole('checkbox').check();
    await page.keyboard.press('Escape');
    await list.getByRole('button', { name: '批量操作' }).click();
    await page.getByRole('menuitem', { name: '批量处理异常' }).click();
    const dialog = page.getByRole('dialog', { name: '批量处理异常' });
    await shows(dialog.getByText('将处理 2 单异常'));
    await dialog.getByRole('textbox', { name: '处理说明' }).fill('已统一致电');
    expect(await violationsOf(page)).toEqual([]);
    await page.keyboard.press('Control+Enter');
    for (const id of ids)
      await expect
        .poll(
          async () =>
            (await station.get<{ handled_note: string }>(`/api/arco/expresses/${id}`)).handled_note,
        )
        .toBe('已统一致电');
    const { page: opened } = await open({
      role: 'station',
      path: `/model/expresses?id=${ids[0]}&view=timeline`,
    });
    const entries = opened.getByRole('list', { name: '时间线' });
    await entries.locator('summary').last().click();
    await shows(entries.getByRole('region', { name: '此时的运单' }));
    expect(await violationsOf(opened)).toEqual([]);
  },
);
