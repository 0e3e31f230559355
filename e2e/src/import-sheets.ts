import type { Page } from 'playwright-core';

export const titles = ['收件人', '手机', '收件地址', '物品', '重量(kg)', '商家订单号'];
/** Starts at a random number, so that no other file of this run sends to the same recipients. */
let count = Math.floor(Math.random() * 80_000_000);
export const line = (changes: Partial<Record<(typeof titles)[number], string>> = {}): string => {
  const no = ++count;
  const cells: Record<string, string> = {
    收件人: `示例收件人 ${no}`,
    手机: `139${10_000_000 + no}`,
    收件地址: `上海市浦东新区示例路 ${no} 号`,
    物品: '文件',
    '重量(kg)': '1.5',
    商家订单号: `导入 ${Date.now()} ${no}`,
    ...changes,
  };
  return titles.map((title) => cells[title]).join(',');
};

export const uploadFile = async (
  page: Page,
  file: { name: string; mimeType: string; buffer: Buffer },
): Promise<void> => {
  await page.locator('input[type=file]').setInputFiles(file);
  await page.getByRole('dialog').getByRole('button', { name: '上传', exact: true }).click();
};

export const uploadSheet = (page: Page, lines: readonly string[]): Promise<void> =>
  uploadFile(page, {
    name: `示例 ${Date.now()}.csv`,
    mimeType: 'text/csv',
    buffer: Buffer.from([titles.join(','), ...lines].join('\n')),
  });
