import { describe, expect } from 'vitest';
import { violationsOf } from './axe.ts';
import { gone, inBrowser, shows } from './browser.ts';
import { choose, notice, shownPage } from './shell.ts';
import { wireOf } from './wire.ts';

/** A suffix that makes names unique, because all tests and all runs use the same product. */
const marked = (): string => Date.now().toString(36);

describe('delivery times (requirements §2, PromiseTable)', () => {
  inBrowser(
    'delivery times are created and found, and before one is disabled the templates and schemes that use it are named',
    async ({ open }) => {
      const mark = marked();
      const { page } = await open({ role: 'super', path: '/model/promises' });
      const screen = shownPage(page, 'PromiseTable');
      await screen.getByRole('button', { name: '新建时效' }).click();
      const form = page.getByRole('dialog', { name: '新建时效' });
      await form.getByRole('textbox', { name: '产品代码' }).fill(`ed-${mark}`);
      await form.getByRole('textbox', { name: '名称', exact: true }).fill(`夜间达 ${mark}`);
      await form.getByRole('textbox', { name: '截单时间' }).fill('25:00');
      await form.getByRole('button', { name: '保存', exact: true }).click();
      await shows(form.getByRole('button', { name: /截单时间.*18:00/ }));
      await form.getByRole('textbox', { name: '截单时间' }).fill('21:30');
      await form.getByRole('button', { name: '保存', exact: true }).click();
      await shows(notice(page, `已新建 夜间达 ${mark}`));
      const search = screen.getByPlaceholder('名称或代码');
      await search.fill(mark);
      await search.press('Enter');
      await expect.poll(() => screen.getByRole('row').count()).toBe(2);
      await shows(
        screen
          .getByRole('row')
          .filter({ hasText: `夜间达 ${mark}` })
          .getByText('21:30'),
      );

      await page.goto('/#/model/promises?q=ed-m-0001');
      await screen.getByRole('switch', { name: '京东标快：启用' }).click();
      const question = page.getByRole('alertdialog').filter({ hasText: '停用 京东标快' });
      await shows(
        question.getByText(/运费模板 \d+ 个.*示例京东标快.*运费方案 \d+ 个.*示例运费方案/),
      );
      await question.getByRole('button', { name: '取消' }).click();
      await gone(question);
      await screen.getByRole('button', { name: '京东标快', exact: true }).click();
      const drawer = page.getByRole('dialog').filter({ hasText: '京东标快' });
      await drawer.getByRole('tab', { name: '线路' }).click();
      await shows(drawer.getByText('全部省份发往 31 / 34 个省份'));
    },
  );
});

describe('insurance (requirements §2, GuaranteeTable)', () => {
  inBrowser(
    'insurance shows its tiers as a chart and in words, calculates a value, and names the neighbour that forbids a fee',
    async ({ open, allow }) => {
      allow(/status of 422/);
      const { page } = await open({ role: 'admin', path: '/model/guarantees' });
      const ladder = page.getByRole('complementary', { name: '保价档位' });
      await shows(ladder.getByText(/最高保价 ¥30,000.00/));
      await expect
        .poll(() => ladder.getByRole('table').getByRole('row').count())
        .toBeGreaterThan(5);
      await ladder.getByRole('textbox', { name: '声明价值' }).fill('1500');
      await shows(ladder.getByText(/¥2,000.00 以内/).last());
      await ladder.getByRole('textbox', { name: '声明价值' }).fill('30000.01');
      await shows(ladder.getByText(/超过最高档/));

      await shownPage(page, 'GuaranteeTable').getByRole('button', { name: '新建档位' }).click();
      const form = page.getByRole('dialog', { name: '新建档位' });
      await form.getByRole('textbox', { name: '保价上限' }).fill('3000');
      await form.getByRole('textbox', { name: '保价费' }).fill('1');
      await form.getByRole('button', { name: '保存', exact: true }).click();
      await shows(form.getByText(/不能低于较低一档（保价 ¥2000.00，保价费 ¥4.00）/).first());
      await form.getByRole('button', { name: '取消' }).click();
      await page.getByRole('button', { name: '放弃修改' }).click();
      await gone(form);
    },
  );
});

describe('freight schemes (requirements §2, ProjectTable)', () => {
  inBrowser(
    'freight schemes are copied and compared; the split of a sample parcel sums to the station’s price; changes for stations are shown before their move',
    async ({ open }) => {
      const mark = marked();
      const { page } = await open({ role: 'super', path: '/model/projects' });
      const screen = shownPage(page, 'ProjectTable');
      await screen.getByRole('button', { name: '示例运费方案 的更多操作' }).click();
      await page.getByRole('menuitem', { name: '复制' }).click();
      const copy = page.getByRole('dialog', { name: '复制“示例运费方案”' });
      await copy.getByRole('textbox', { name: '名称' }).fill(`副本 ${mark}`);
      await copy.getByRole('button', { name: '复制', exact: true }).click();
      await shows(notice(page, `已新建 副本 ${mark}`));

      await screen.getByRole('button', { name: `修改 副本 ${mark}` }).click();
      const form = page.getByRole('dialog', { name: `修改 副本 ${mark}` });
      await choose(form.getByRole('combobox', { name: /特惠包裹/ }), '不提供');
      await form.getByRole('button', { name: '保存', exact: true }).click();
      await shows(notice(page, `已保存 副本 ${mark}`));

      for (const name of ['示例运费方案', `副本 ${mark}`])
        await screen
          .getByRole('row')
          .filter({ hasText: name })
          .getByRole('checkbox')
          .first()
          .check();
      await screen.getByRole('button', { name: '对比' }).click();
      const compared = page.getByRole('dialog', { name: '对比' });
      await shows(
        compared
          .getByRole('row')
          .filter({ hasText: '特惠包裹' })
          .filter({ hasText: '不同' })
          .filter({ hasText: '不提供' }),
      );
      await compared.getByRole('button', { name: '关闭' }).click();

      await screen.getByRole('button', { name: '示例运费方案', exact: true }).click();
      const drawer = page.getByRole('dialog').filter({ hasText: '示例运费方案' });
      await drawer.getByRole('tab', { name: '价格试算' }).click();
      await drawer.getByRole('combobox', { name: '寄件网点' }).fill('南山');
      await page.locator('[role="option"]', { hasText: '示例深圳南山站' }).click();
      const table = drawer.getByRole('table').first();
      await shows(table.getByText('示例深圳南山站支付'));
      const fen = async (what: string): Promise<number[]> =>
        (await table.locator(what).allInnerTexts()).map((text) =>
          Math.round(Number(text.replaceAll(/[^\d.]/g, '')) * 100),
        );
      const parts = await fen('tbody td:last-child');
      expect(parts.length).toBeGreaterThan(1);
      expect([parts.reduce((sum, one) => sum + one, 0)]).toEqual(await fen('tfoot td'));
      await drawer.getByRole('button', { name: '关闭' }).click();
      await gone(drawer);

      await screen.getByRole('button', { name: `分配网点 副本 ${mark}` }).click();
      const assign = page.getByRole('dialog', { name: `把“副本 ${mark}”分配给网点` });
      await assign.getByRole('checkbox', { name: /示例杭州余杭站/ }).check();
      await shows(
        assign.getByRole('row').filter({ hasText: '特惠包裹' }).filter({ hasText: '不再提供' }),
      );
      await shows(assign.getByRole('button', { name: '分配给 1 个网点' }));
      await assign.getByRole('button', { name: '取消' }).click();
      await gone(assign);

      // Disables a scheme in use. After a preview of the price changes, its stations get another
      // scheme in the same step.
      const wire = await wireOf('super');
      const schemes = (
        await wire.get<{ items: { id: number; name: string }[] }>('/api/arco/projects?page_size=50')
      ).items;
      const idOf = (name: string): number => schemes.find((scheme) => scheme.name === name)!.id;
      const place = { province: '浙江省', city: '杭州市', county: '余杭区' };
      const station = await wire.post<{ id: number }>('/api/arco/stations', {
        name: `方案站 ${mark}`,
        project_id: idOf(`副本 ${mark}`),
        ...place,
      });
      await screen.getByRole('switch', { name: `副本 ${mark}：启用` }).click();
      const disable = page.getByRole('dialog', { name: `停用 副本 ${mark}` });
      await shows(
        disable.getByText('1 个网点使用此方案，停用前须改用其他方案。已下单的运单不变。'),
      );
      await disable.getByRole('button', { name: '更换并停用' }).click();
      await shows(disable.getByText('必填'));
      await choose(disable.getByRole('combobox', { name: '改用方案' }), '示例运费方案');
      await shows(
        disable
          .getByRole('row')
          .filter({ hasText: /特惠包裹/ })
          .filter({ hasText: '新增' }),
      );
      expect(await violationsOf(page)).toEqual([]);
      await disable.getByRole('button', { name: '更换并停用' }).click();
      await shows(notice(page, `“副本 ${mark}”已停用，1 个网点改用“示例运费方案”`));
      expect(await wire.get(`/api/arco/stations/${station.id}`)).toMatchObject({
        project_id: idOf('示例运费方案'),
      });
    },
  );
});
