import { describe, expect } from 'vitest';
import { inBrowser, inBrowserDaily, shows } from './browser.ts';
import { notice, shownPage } from './shell.ts';
import { wireOf } from './wire.ts';
import type { Wire } from './wire.ts';

interface Row {
  id: number;
  version: number;
  status: number;
}

const called = (word: string): string => `${word}${Math.random().toString(36).slice(2, 7)}`;
const entryOf = async (wire: Wire, search: string): Promise<number> =>
  (
    await wire.get<{ items: { id: number }[] }>(
      `/api/arco/audit?page_size=1&at_from=${yesterday()}&${search}`,
    )
  ).items[0]!.id;

/**
 * The date of yesterday. The server requires a range of days when the audit log is searched for an
 * action.
 */
const yesterday = (): string => new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);

describe('undo from the audit log', () => {
  inBrowser(
    'a bulk switch is undone in one step, by keys; one with a later change names its author and leads to it',
    async ({ open }) => {
      const wire = await wireOf('super');
      const goods = await Promise.all(
        [1, 2].map(() =>
          wire.post<Row>('/api/arco/cargos', { name: called('撤销'), type: '1', provider: 'jdl' }),
        ),
      );
      const disable = async (): Promise<number> => {
        const { job_id } = await wire.post<{ job_id: number }>('/api/arco/cargos/bulk', {
          action: 'disable',
          ids: goods.map(({ id }) => id),
        });
        await expect
          .poll(async () => (await wire.get<{ status: string }>(`/api/arco/jobs/${job_id}`)).status)
          .toBe('done');
        return entryOf(wire, 'subject=cargos&action=bulk_disable');
      };
      const statuses = () =>
        Promise.all(
          goods.map(async ({ id }) => (await wire.get<Row>(`/api/arco/cargos/${id}`)).status),
        );
      const first = await disable();
      const { page } = await open({ role: 'super', path: `/system/audit?id=${first}` });
      const drawer = page.getByRole('dialog', { name: /批量停用/ });
      await drawer.getByRole('button', { name: '撤销此操作' }).press('Enter');
      const question = page.getByRole('alertdialog');
      await shows(question.getByText('将恢复 2 条记录。'));
      await question.getByRole('button', { name: '撤销此操作' }).press('Enter');
      await shows(notice(page, '已撤销，恢复 2 条记录'));
      expect(await statuses()).toEqual([1, 1]);
      await shows(drawer.getByText('已由 super 撤销'));
      expect(await drawer.getByRole('button', { name: '撤销此操作' }).isDisabled()).toBe(true);

      const second = await disable();
      await (await wireOf('admin')).post(`/api/arco/cargos/${goods[0]!.id}/status`, { status: 1 });
      const { page: later } = await open({ role: 'super', path: `/system/audit?id=${second}` });
      const refused = later.getByRole('dialog', { name: /批量停用/ });
      await shows(refused.getByText('之后有新的修改，不能撤销，请逐项调整'));
      await refused
        .getByRole('list', { name: '之后的修改' })
        .getByRole('link', { name: /admin 启用 物品/ })
        .click();
      await shows(shownPage(later, 'AuditLog'));
      await shows(later.getByRole('dialog', { name: /^启用/ }));
    },
  );

  inBrowserDaily(
    'a partner reverts a station’s price from the station’s own history',
    async ({ open }) => {
      const wire = await wireOf('partner');
      const { items } = await wire.get<{
        items: (Row & { discount: number | null; name: string })[];
      }>(`/api/arco/stations?q=${encodeURIComponent('示例广州天河站')}`);
      const station = items[0]!;
      const answer = await wire.ask('PATCH', `/api/arco/stations/${station.id}`, {
        version: station.version,
        discount: 9_900,
      });
      expect(answer.status).toBe(200);
      const { page } = await open({
        role: 'partner',
        path: `/model/stations?id=${station.id}&view=audit`,
      });
      const drawer = page.getByRole('dialog', { name: station.name });
      await drawer.getByRole('button', { name: '撤销此操作' }).first().click();
      await page
        .getByRole('alertdialog')
        .getByRole('button', { name: '撤销此操作' })
        .press('Enter');
      await shows(notice(page, '已撤销，恢复 1 条记录'));
      expect(
        (await wire.get<{ discount: number | null }>(`/api/arco/stations/${station.id}`)).discount,
      ).toBe(station.discount);
    },
  );
});
