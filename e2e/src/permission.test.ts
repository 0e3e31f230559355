import { describe, expect } from 'vitest';
import { inBrowser, shows } from './browser.ts';
import { roles } from './screen-table.ts';
import { shownPage } from './shell.ts';
import { wireOf } from './wire.ts';
import type { Role } from './wire.ts';

const office: readonly Role[] = ['super', 'admin'];
const managers: readonly Role[] = ['super', 'admin', 'partner', 'station'];

describe('permission (requirements §5, §6)', () => {
  for (const role of roles)
    inBrowser(
      `${role} sees exactly the screens and actions of its role, and the server answers no more`,
      async ({ open }) => {
        const { page } = await open({ role });
        const workplace = shownPage(page, 'Workplace');
        await shows(workplace.getByRole('heading', { name: /^近 \d+ 日下单量/ }));
        await expect
          .poll(() => workplace.getByRole('heading', { name: '账目校验' }).count())
          .toBe(office.includes(role) ? 1 : 0);
        await page.goto('/#/model/expresses?tab=signed');
        await shownPage(page, 'ExpressTable')
          .getByRole('row')
          .nth(1)
          .getByRole('button', { name: '详情' })
          .click();
        const drawer = page.getByRole('dialog');
        await shows(drawer.getByRole('tab', { name: '概览' }));
        await expect
          .poll(() => drawer.getByRole('tab', { name: '资金' }).count())
          .toBe(managers.includes(role) ? 1 : 0);
        await shows(drawer.getByText('订单号'));
        await expect
          .poll(() => drawer.getByText('承运成本').count())
          .toBe(office.includes(role) ? 1 : 0);

        const wire = await wireOf(role);
        const answers = async (method: string, path: string): Promise<number> =>
          (await wire.ask(method, path)).status;
        expect(await answers('GET', '/api/arco/ledger/proof')).toBe(
          office.includes(role) ? 200 : 403,
        );
        expect(await answers('GET', '/api/arco/statements')).toBe(
          managers.includes(role) ? 200 : 403,
        );
      },
    );
});
