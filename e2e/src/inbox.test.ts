import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { inBrowser, shows } from './browser.ts';
import { limitMs } from './harness/limits.ts';
import { shownPage } from './shell.ts';
import { wireOf } from './wire.ts';

/** The milliseconds to wait for a notification, which is delivered within a minute. */
const within = limitMs(120_000);
const bell = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true });

inBrowser(
  'a station’s request is counted in the office’s navbar and leads to the waiting requests; both languages',
  async ({ open }) => {
    const station = await wireOf('station');
    const { station_id } = await station.get<{ station_id: number }>('/api/arco/personal');
    await station.post(`/api/arco/stations/${station_id}/top-ups`, {
      amount: 12_300,
      description: 'inbox',
    });
    const { page } = await open({ role: 'admin', path: '/dashboard/workplace' });
    await bell(page, /^通知，\d+ 条未读$/).waitFor({ timeout: within });
    await bell(page, /^通知，/).click();
    const drawer = page.getByRole('dialog', { name: '通知' });
    await drawer.getByRole('tab', { name: '任务与导出' }).click();
    await shows(drawer.getByRole('tabpanel', { name: '任务与导出' }));
    await drawer.getByRole('tab', { name: '通知' }).click();
    await drawer
      .getByRole('button', { name: /条申请待处理/ })
      .first()
      .click();
    await shows(shownPage(page, 'StatementTable'));
    expect(page.url()).toContain('status=pending');
    // The test marks only its own notification as read, because other journeys also notify this
    // account.
    const wire = await wireOf('admin');
    const readKinds = async () =>
      (await wire.get<{ items: { kind: string; is_read: number }[] }>('/api/arco/inbox')).items
        .filter(({ is_read }) => is_read === 1)
        .map(({ kind }) => kind);
    await expect.poll(readKinds).toContain('request');

    const { page: english } = await open({
      role: 'admin',
      path: '/dashboard/workplace',
      language: 'en-US',
    });
    await bell(english, /^Notifications/).click();
    await shows(
      english
        .getByRole('dialog', { name: 'Notifications' })
        .getByRole('button', { name: /requests? waiting/ })
        .first(),
    );
  },
);
