import { expect } from 'vitest';
import { inBrowser, shows } from './browser.ts';
import { orderedParcel } from './ordered-parcel.ts';
import { shownPage, tab } from './shell.ts';
import { wireOf } from './wire.ts';

inBrowser(
  'the drawer’s link opens the parcel on a page of its own, with its tabs and actions; a parcel of another person is not found there',
  async ({ open, allow }) => {
    const station = await wireOf('station');
    const { id } = await orderedParcel(station);
    const { page } = await open({
      role: 'station',
      path: `/model/expresses?id=${id}&view=timeline`,
    });
    await page.getByRole('dialog').first().getByRole('link', { name: '在新页面打开' }).click();
    await expect.poll(() => page.url()).toContain(`/model/expresses/parcel?id=${id}&view=timeline`);
    const parcel = shownPage(page, 'ExpressPage');
    await shows(parcel.getByRole('tabpanel', { name: '时间线' }));
    await shows(parcel.getByRole('tab', { name: '资金' }));
    // The title of the tab contains the parcel's number even while another tab is active.
    const { delivery_id } = await station.get<{ delivery_id: string }>(`/api/arco/expresses/${id}`);
    await shows(tab(page, `运单详情 · ${delivery_id}`));
    await tab(page, '工作台').click();
    await shows(shownPage(page, 'Workplace').getByRole('heading').first());
    await tab(page, `运单详情 · ${delivery_id}`).click();
    await parcel.getByRole('tab', { name: '概览' }).click();
    await shows(parcel.getByText('世纪大道100号').first());
    await shows(parcel.getByRole('button', { name: '打印', exact: true }));

    allow(/404/);
    const { page: other } = await open({
      role: 'user',
      path: `/model/expresses/parcel?id=${id}`,
      language: 'en-US',
    });
    await shows(shownPage(other, 'ExpressPage').getByRole('alert'));
  },
);
