import { expect, inject } from 'vitest';
import { inBrowser, shows } from './browser.ts';
import { inLanguageOf } from './daily.ts';
import { orderedParcel } from './ordered-parcel.ts';
import { printings, withoutPrinter } from './printer.ts';
import { shownPage } from './shell.ts';
import { login, wireOf } from './wire.ts';

const languages = [
  {
    language: 'zh-CN',
    reprint: '补打',
    reason: '补打原因',
    print: '打印',
    second: '第 2 次',
    sum: /补打 1（50%）/,
  },
  {
    language: 'en-US',
    reprint: 'Reprint',
    reason: /reason/i,
    print: 'Print',
    second: 'No. 2',
    sum: /Reprints 1 \(50%\)/,
  },
] as const;

for (const { language, reprint, reason, print, second, sum } of inLanguageOf('zh-CN', languages))
  inBrowser(
    `a manager finds a clerk’s print, prints it again with a reason, and sees both records, in ${language}`,
    async ({ open }) => {
      const clerk = await wireOf('user');
      const { id } = await orderedParcel(clerk);
      const { delivery_id } = await clerk.get<{ delivery_id: string }>(`/api/arco/expresses/${id}`);
      const labels = await fetch(`${inject('product').url}/api/arco/labels`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${await login('user')}`,
          'content-type': 'application/json',
        },
        body: JSON.stringify({ ids: [id], format: '76x130' }),
      });
      expect(labels.status).toBe(200);
      const { page } = await open({
        role: 'station',
        path: `/model/prints?q=${delivery_id}`,
        language,
        before: withoutPrinter,
      });
      const list = shownPage(page, 'PrintTable');
      await list.getByRole('button', { name: `${reprint} ${delivery_id}` }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('textbox', { name: reason }).fill('纸张卡住');
      await dialog.getByRole('button', { name: print, exact: true }).click();
      await expect.poll(() => printings(page)).toBe(1);
      await shows(list.getByText(second));
      await shows(list.getByText('纸张卡住').first());
      await shows(list.getByText(sum));
    },
  );
