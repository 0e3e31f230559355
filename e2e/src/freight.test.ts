import { buffer } from 'node:stream/consumers';
import { expect, inject } from 'vitest';
import { violationsOf } from './axe.ts';
import { gone, hrefOf, inBrowser, inBrowserDaily, shows } from './browser.ts';
import { pasteText } from './clipboard.ts';
import { wireOf } from './wire.ts';
import { workbookOf } from './workbook.ts';

// Tests what an administrator must set up before parcels are shipped and charged: an account with a
// carrier, and a price list pasted from a spreadsheet.

const keys = {
  app_key: 'demoappkey0000000000000000000001',
  app_secret: 'a-secret-nobody-sees-7777',
  access_token: 'demotoken0000000000000000000000b',
};

/** A random suffix that makes the name of a row unique, even if a test runs twice. */
const another = (): string => crypto.randomUUID().slice(0, 6);

/**
 * A price list as customers write it. One cell lists several provinces with the same price, the
 * column titles are the customer's own, and islands are not served.
 */
const priceList = [
  '目的省份\t首重(1kg)\t上限kg\t续重(元/kg)',
  '广东、广西、海南\t8\t50\t1.5',
  '北京、天津、河北、山西、上海、江苏、浙江、安徽、福建、江西、山东、河南、湖北、湖南\t10\t50\t2',
  '内蒙古、辽宁、吉林、黑龙江、重庆、四川、贵州、云南、陕西\t12\t50\t3',
  '甘肃、青海、宁夏、新疆\t16\t50\t8',
  '西藏、台湾、香港、澳门\t不送达\t\t',
].join('\n');

inBrowser(
  'a carrier account accepts its keys, never shows them again, and tests them by a call',
  async (visits) => {
    const { page } = await visits.open({ role: 'admin', path: '/model/merchants' });
    const { carrierUrl } = inject('product');
    const name = `备用账号 ${another()}`;
    await page.getByRole('button', { name: '新建商家账号' }).click();
    const form = page.getByRole('dialog');
    await form.getByLabel('名称').fill(name);
    await form.getByLabel('接口地址').fill(carrierUrl);
    await form.getByLabel('商家编码 customerCode').fill(`010K${another()}`);
    await form.getByLabel('应用标识 AppKey').fill(keys.app_key);
    await form.getByLabel('应用密钥 AppSecret').fill(keys.app_secret);
    await form.getByLabel('访问令牌 AccessToken').fill(keys.access_token);
    await form.getByLabel('寄件人').fill('示例仓库');
    await form.getByLabel('寄件电话').fill('138 0000 0001');
    await page.keyboard.press('Control+Enter');
    const row = page.getByRole('row', { name: new RegExp(name) });
    await shows(row);
    await row.getByRole('button', { name: `测试连接 ${name}` }).click();
    await shows(page.getByText(`${name} 连接失败`));
    await shows(page.getByText(/签名未通过/).first());
    await row.getByRole('button', { name, exact: true }).click();
    await shows(page.getByText('•••• 7777'));
    await page.getByRole('tab', { name: '调用记录' }).click();
    await page.getByText('前置校验').first().click();
    await shows(page.getByRole('heading', { name: '请求' }));
    expect(await violationsOf(page)).toEqual([]);
    expect(await page.content()).not.toContain(keys.app_secret);
    const kept = await page.evaluate(() => JSON.stringify(Object.entries(localStorage)));
    expect(kept).not.toContain(keys.app_secret);
    await page.keyboard.press('Escape');

    const exampleAccount = page.getByRole('row', { name: /示例商家账号/ });
    await exampleAccount.getByRole('button', { name: /^测试连接/ }).click();
    await shows(page.getByText(/示例商家账号（模拟） 连接正常/));

    // Disabling a carrier account in use moves its stations to the chosen replacement account.
    const wire = await wireOf('admin');
    const { items } = await wire.get<{ items: { name: string; customer_code: string }[] }>(
      '/api/arco/merchants?page_size=50',
    );
    const codeOf = (wanted: RegExp): string =>
      items.find((merchant) => wanted.test(merchant.name))!.customer_code;
    const station = await wire.post<{ id: number }>('/api/arco/stations', {
      name: `${name} 的网点`,
      customer_code: codeOf(new RegExp(name)),
    });
    await row.getByRole('switch', { name: `${name}：启用` }).click();
    const disable = page.getByRole('dialog', { name: `停用 ${name}` });
    await shows(disable.getByText(`1 个网点指定使用此账号，将改用所选账号：${name} 的网点`));
    await disable.getByRole('combobox', { name: '改用账号' }).click();
    await page.getByRole('option', { name: /示例商家账号.* · 模拟/ }).click();
    await shows(disable.getByText('最低保价：现为 ¥0.00，改用后为 ¥0.00'));
    expect(await violationsOf(page)).toEqual([]);
    await disable.getByRole('button', { name: '更换并停用' }).click();
    await shows(row.getByRole('switch', { name: `${name}：启用`, checked: false }));
    expect(await wire.get(`/api/arco/stations/${station.id}`)).toMatchObject({
      customer_code: codeOf(/示例商家账号/),
    });
  },
);

inBrowser(
  'a price list is pasted from a spreadsheet, checked, tried and published, and its impact is estimated',
  async (visits) => {
    const { page } = await visits.open({ role: 'admin', path: '/model/vouchers' });
    const name = `华南价目 ${another()}`;
    await page.getByRole('button', { name: '新建运费模板' }).first().click();
    const form = page.getByRole('dialog');
    await form.getByLabel('名称').fill(name);
    await form.getByLabel('时效').click();
    await page.getByRole('option', { name: /京东标快/ }).click();
    await page.keyboard.press('Control+Enter');
    const grid = page.getByRole('grid', { name: `${name} 的价目表` });
    await shows(grid);
    expect(hrefOf(page)).toMatch(/edit=\d+/);

    await grid.locator('[data-cell="0-1"]').click();
    await pasteText(page, priceList);
    await shows(page.getByText(/^已粘贴 \d+ 格$/));
    await shows(page.getByText('未发现问题。'));
    await shows(grid.getByRole('gridcell', { name: /^西藏 首重（kg）: 不送达/ }));

    const tester = page.getByRole('region', { name: '价格试算' });
    await tester.getByLabel('重量').fill('3.2');
    await shows(tester.getByText(`首重 1 kg，¥12.00（${name} 第 1 版，四川）`));
    await shows(tester.getByText('1 kg 以上每 1 kg ¥3.00 × 3'));

    // If a typed price is far too high, the check shows a warning. Pressing the warning selects its
    // cell, and undo restores the previous price.
    const sichuan = grid.getByRole('gridcell', { name: /^四川 首重价/ });
    await sichuan.click();
    await page.keyboard.type('120');
    await page.keyboard.press('Enter');
    const remark = page.getByRole('button', { name: /四川.*两倍/ });
    await shows(remark);
    await remark.click();
    await expect.poll(() => sichuan.evaluate((cell) => cell === document.activeElement)).toBe(true);
    await page.keyboard.press('Control+z');
    await shows(page.getByText('未发现问题。'));
    expect(await violationsOf(page)).toEqual([]);

    // While an input method composes text in the selected cell, pressing Shift or an arrow key must
    // not start editing.
    const wireToPage = await page.context().newCDPSession(page);
    const processed = (code: string) =>
      wireToPage.send('Input.dispatchKeyEvent', {
        type: 'rawKeyDown',
        code,
        key: 'Process',
        windowsVirtualKeyCode: 229,
      });
    await processed('ShiftLeft');
    await processed('ArrowLeft');
    await processed('ArrowRight');
    await processed('Digit7');
    await wireToPage.send('Input.insertText', { text: '１２.5' });
    await page.keyboard.press('Enter');
    await shows(grid.getByRole('gridcell', { name: /^四川 首重价: 12.50/ }));
    await page.keyboard.press('Control+z');
    await shows(grid.getByRole('gridcell', { name: /^四川 首重价: 12.00/ }));

    // If a pasted value looks like a price, the user must confirm that it belongs in a weight
    // column.
    await grid.getByRole('gridcell', { name: /^北京 首重（kg）/ }).click();
    await pasteText(page, '四川\t13.50');
    const question = page.getByRole('alertdialog', { name: '粘贴的是重量吗？' });
    await shows(question.getByText('“13.50”像价格，但将填入“首重（kg）”', { exact: false }));
    await page.keyboard.press('Escape');
    await gone(question);
    await shows(page.getByText('未发现问题。'));

    for (const [button, title] of [
      ['添加城市', '添加城市'],
      ['更改', '寄件地'],
      ['影响测算', '影响测算'],
    ] as const) {
      await page.getByRole('button', { name: button, exact: true }).click();
      await shows(page.getByRole('dialog', { name: title }));
      await page.keyboard.press('Escape');
      await gone(page.getByRole('dialog', { name: title }));
    }

    await page.getByRole('button', { name: '发布', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await shows(dialog.getByText('这是首次发布。'));
    await dialog.getByRole('button', { name: '发布', exact: true }).click();
    await shows(page.getByText('第 1 版已生效'));
    await shows(page.getByText('与第 1 版相同'));

    const id = Number(/edit=(\d+)/.exec(hrefOf(page))![1]);
    const wire = await wireOf('admin');
    const { no, zones } = await wire.get<{ no: number; zones: number }>(`/api/arco/vouchers/${id}`);
    expect([no, zones]).toEqual([1, 5]);

    // A change made after publishing is marked in the grid until it is published too. The list of
    // versions shows the difference.
    await grid.getByRole('gridcell', { name: /^北京 首重价/ }).click();
    await page.keyboard.type('11');
    await page.keyboard.press('Tab');
    await shows(grid.getByRole('gridcell', { name: /^北京 首重价: 11.00 \(与已发布的不同\)/ }));

    await page.getByRole('button', { name: '发布', exact: true }).click();
    await shows(page.getByRole('dialog').getByText('尚未测算对近 30 天运单的影响。'));
    await page.keyboard.press('Escape');
    await gone(page.getByRole('dialog'));

    await page.keyboard.press('Control+s');
    await shows(page.getByText('草稿与第 1 版不同'));
    await page.getByRole('button', { name: '版本', exact: true }).click();
    await shows(page.getByRole('row', { name: /北京 首重价 ¥10.00 ¥11.00/ }));
  },
);

inBrowserDaily(
  'a price list goes to a spreadsheet and back, and each error in it is named by its cell',
  async (visits) => {
    const { page } = await visits.open({ role: 'admin', path: '/model/vouchers' });
    const wire = await wireOf('admin');
    const name = `表格价目 ${another()}`;
    const { id } = await wire.post<{ id: number }>('/api/arco/vouchers', {
      name,
      provider: 'jdl',
      promise_id: 'ed-m-0001',
    });
    await page.evaluate((hash) => (location.hash = hash), `#/model/vouchers?edit=${id}`);
    const grid = page.getByRole('grid', { name: `${name} 的价目表` });
    await shows(grid);
    const [empty] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: '下载 XLSX' }).click(),
    ]);
    expect(empty.suggestedFilename()).toBe(`价格-${name}.xlsx`);

    const dialog = page.getByRole('dialog', { name: '上传价格表' });
    const upload = async (rows: readonly (readonly string[])[]): Promise<void> => {
      await dialog.locator('input[type=file]').setInputFiles({
        name: '价格.xlsx',
        mimeType: 'application/octet-stream',
        buffer: workbookOf(rows),
      });
      await dialog.getByRole('button', { name: '读取' }).click();
    };
    const titles = [
      '收件省份',
      '首重（kg）',
      '首重价（元）',
      '续重 1 上限（kg）',
      '续重 1 单位（kg）',
      '续重 1 单价（元）',
    ];
    await page.getByRole('button', { name: '上传 XLSX' }).click();
    await shows(dialog.getByText('.xlsx 或 .csv，最大 2 MB、20,000 行'));
    await upload([
      titles,
      ['广冬', '1', '9', '50', '1', '2'],
      ['北京', '1', '九元', '50', '1', '2'],
    ]);
    await shows(dialog.getByText('文件有 2 处错误，未读入。请改正后重新上传。'));
    await shows(dialog.getByText('第 2 行 A 列“收件省份”'));
    await shows(dialog.getByText('不是省份；请填省份名称，如“广东”'));
    await shows(dialog.getByText('第 3 行 C 列“首重价（元）”'));
    expect(await violationsOf(page)).toEqual([]);

    await upload([titles, ['广东', '1', '9', '50', '1', '2'], ['西藏', '', '不送达']]);
    await gone(dialog);
    await shows(page.getByText(/^已读入 \d+ 处改动，保存草稿后生效$/));
    await shows(grid.getByRole('gridcell', { name: /^广东 首重价: 9.00/ }));
    await shows(grid.getByRole('gridcell', { name: /^西藏 首重（kg）: 不送达/ }));
    expect(await page.getByRole('button', { name: '下载 XLSX' }).isDisabled()).toBe(true);
    await page.getByRole('button', { name: '保存草稿' }).click();
    await shows(page.getByText('草稿已保存'));

    const [saved] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: '下载 XLSX' }).click(),
    ]);
    await page.getByRole('button', { name: '上传 XLSX' }).click();
    await dialog.locator('input[type=file]').setInputFiles({
      name: '价格.xlsx',
      mimeType: 'application/octet-stream',
      buffer: await buffer(await saved.createReadStream()),
    });
    await dialog.getByRole('button', { name: '读取' }).click();
    await shows(page.getByText('文件与草稿相同，没有改动'));
  },
);

inBrowserDaily(
  'a price list of another layout is mapped, its differences are seen, and then it is taken',
  async (visits) => {
    const { page } = await visits.open({ role: 'admin', path: '/model/vouchers' });
    const wire = await wireOf('admin');
    const name = `导入价目 ${another()}`;
    const { id } = await wire.post<{ id: number }>('/api/arco/vouchers', {
      name,
      provider: 'jdl',
      promise_id: 'ed-m-0001',
    });
    await page.evaluate((hash) => (location.hash = hash), `#/model/vouchers?edit=${id}`);
    const grid = page.getByRole('grid', { name: `${name} 的价目表` });
    await shows(grid);
    await page.getByRole('button', { name: '导入价目表' }).click();
    const dialog = page.getByRole('dialog', { name: '导入价目表' });
    await dialog.locator('input[type=file]').setInputFiles({
      name: '报价.xlsx',
      mimeType: 'application/octet-stream',
      buffer: workbookOf([
        ['2027 年报价'],
        ['续重', '目的地', '首重'],
        ['2', '江浙沪、内蒙', '8'],
        ['3', '粤桂', '9'],
      ]),
    });
    const reading = dialog.getByRole('button', { name: '读取' });
    await reading.click();
    await shows(dialog.getByText('有的列含义不明或重复，请选择。', { exact: false }));
    await reading.click();
    await shows(dialog.getByText('有的列含义不明或重复，请选择。', { exact: true }));
    for (const [title, meaning] of [
      ['A · 续重', '续重单价'],
      ['C · 首重', '首重价'],
    ] as const) {
      await dialog.getByLabel(`“${title}”的含义`).click();
      await page.getByRole('option', { name: meaning, exact: true }).click();
    }
    await dialog.getByLabel('首重（kg）', { exact: true }).fill('1');
    await dialog.getByLabel('续重单位（kg）').fill('1');
    await dialog.getByLabel('续重上限（kg）').fill('50');
    expect(await violationsOf(page)).toEqual([]);
    await reading.click();
    await shows(dialog.getByRole('row', { name: /浙江 首重价 — ¥8.00/ }));
    expect(await violationsOf(page)).toEqual([]);
    await dialog.getByRole('button', { name: /^采用 \d+ 处改动$/ }).click();
    await gone(dialog);
    await shows(grid.getByRole('gridcell', { name: /^内蒙古 首重价: 8.00/ }));
    await shows(grid.getByRole('gridcell', { name: /^广西 续重 1 单价: 3.00/ }));
  },
);

inBrowserDaily(
  'the impact on last month’s parcels is estimated in the background',
  async (visits) => {
    const { page } = await visits.open({ role: 'admin', path: '/model/vouchers' });
    const wire = await wireOf('admin');
    const { items } = await wire.get<{
      items: { id: number; name: string; parcels_30d: number }[];
    }>('/api/arco/vouchers?sort=-parcels_30d');
    const busiest = items[0]!;
    expect(busiest.parcels_30d).toBeGreaterThan(0);

    // The dialog that disables the selected rows shows a preview first. Templates in use are
    // skipped, so that nothing is left to disable here.
    await page.getByRole('row').filter({ hasText: busiest.name }).getByRole('checkbox').check();
    await page.getByRole('region', { name: '选择' }).getByRole('button', { name: '停用' }).click();
    const bulk = page.getByRole('dialog', { name: '停用 1 条' });
    await shows(bulk.getByText(/^1 条：\d+ 个运费方案正在使用，请先在方案中更换/));
    const disable = bulk.getByRole('button', { name: '停用' });
    expect(await disable.isDisabled()).toBe(true);
    // A disabled button must not look like an enabled button.
    expect(await disable.evaluate((button) => getComputedStyle(button).backgroundColor)).not.toBe(
      'rgb(203, 39, 45)',
    );
    await bulk.getByRole('button', { name: '取消' }).click();
    await gone(bulk);

    await page.getByRole('button', { name: busiest.name, exact: true }).click();
    await page.getByRole('tab', { name: '影响测算' }).click();
    await page.getByRole('button', { name: '开始测算' }).click();
    const total = page.getByRole('row', { name: /^合计 / }).first();
    await shows(total);
    await expect.poll(() => total.innerText()).toMatch(/^合计\s+[1-9]/);
  },
);

inBrowserDaily(
  'each line of a price list and each insurance tier shows how many parcels it priced',
  async (visits) => {
    const { page } = await visits.open({ role: 'admin', path: '/model/vouchers' });
    const wire = await wireOf('admin');
    const { items } = await wire.get<{
      items: { id: number; name: string; parcels_30d: number }[];
    }>('/api/arco/vouchers?sort=-parcels_30d');
    const { id, name, parcels_30d } = items[0]!;
    await page.evaluate((hash) => (location.hash = hash), `#/model/vouchers?edit=${id}`);
    const grid = page.getByRole('grid', { name: `${name} 的价目表` });
    await shows(grid.getByRole('columnheader', { name: '近 30 天运单' }));
    const counts = async (): Promise<number> => {
      const texts = await grid.locator('tbody td[data-part=uses]').allInnerTexts();
      return texts.reduce((sum, text) => sum + Number(text.replaceAll(',', '') || Number.NaN), 0);
    };
    await expect.poll(counts).toBe(parcels_30d);
    expect(await violationsOf(page)).toEqual([]);

    await page.evaluate(() => (location.hash = '#/model/guarantees'));
    await shows(page.getByRole('columnheader', { name: '近 30 天运单' }));
  },
);
