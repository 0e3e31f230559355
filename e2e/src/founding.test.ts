import { readdirSync } from 'node:fs';
import type { Locator, Page } from 'playwright-core';
import { afterAll, describe, expect, inject } from 'vitest';
import { arrives, gone, inBrowserDaily, shows } from './browser.ts';
import { pasteText } from './clipboard.ts';
import { limitMs } from './harness/limits.ts';
import { startEmpty } from './empty-product.ts';
import type { EmptyProduct } from './empty-product.ts';
import { orderedWaybill, receiver, store } from './ordering.ts';
import { choose, mainMenu, notice, shownPage } from './shell.ts';

let started: Promise<EmptyProduct> | undefined;
/** Starts an empty product at the first call. Later calls return the same product. */
const emptyProduct = (): Promise<EmptyProduct> =>
  (started ??= startEmpty(inject('product').carrierUrl));
afterAll(async () => (await started)?.stop());

/** The access data of our application in the carrier simulator (carrier-sim/README.md). */
const application = {
  AppKey: 'demoappkey0000000000000000000001',
  AppSecret: 'demosecret000000000000000000000a',
  AccessToken: 'demotoken0000000000000000000000b',
};
const priceList = [
  '目的省份\t首重(1kg)\t上限kg\t续重(元/kg)',
  '广东、广西、海南\t8\t50\t1.5',
  '北京、天津、河北、山西、上海、江苏、浙江、安徽、福建、江西、山东、河南、湖北、湖南\t10\t50\t2',
  '内蒙古、辽宁、吉林、黑龙江、重庆、四川、贵州、云南、陕西\t12\t50\t3',
  '甘肃、青海、宁夏、新疆\t16\t50\t8',
  '西藏、台湾、香港、澳门\t不送达\t\t',
].join('\n');

const logIn = async (page: Page, username: string, password: string): Promise<void> => {
  await page.getByRole('textbox', { name: '用户名' }).fill(username);
  await page.getByLabel('密码', { exact: true }).fill(password);
  await page.getByRole('button', { name: '登录', exact: true }).click();
};

/** Goes to the Workplace and opens the highlighted step. It must be the step with these words. */
const follow = async (page: Page, words: string): Promise<void> => {
  await mainMenu(page).getByRole('link', { name: '工作台' }).click();
  await page.getByRole('button', { name: '刷新' }).first().click();
  const next = page.getByRole('region', { name: '开通向导' }).locator('[aria-current="step"]');
  await expect.poll(() => next.innerText()).toContain(words);
  await next.getByRole('link').click();
};

const begin = async (page: Page, button: string, title = button): Promise<Locator> => {
  await page.getByRole('button', { name: button }).first().click();
  const form = page.getByRole('dialog', { name: title });
  await shows(form);
  return form;
};
const save = async (page: Page, form: Locator, noticeText: string): Promise<void> => {
  await page.keyboard.press('Control+Enter');
  await gone(form);
  await shows(notice(page, noticeText).first());
};

const enterMerchant = async (page: Page): Promise<void> => {
  await follow(page, '商家账号');
  const form = await begin(page, '新建商家账号');
  await form.getByLabel('名称').fill('京东主账号');
  await form.getByLabel('接口地址').fill(inject('product').carrierUrl);
  await form.getByLabel(/customerCode/).fill('010K000001');
  for (const [name, value] of Object.entries(application))
    await form.getByLabel(new RegExp(name)).fill(value);
  await form.getByLabel('寄件人').fill('示例仓库');
  await form.getByLabel('寄件电话').fill('13800000001');
  await save(page, form, '已新建 京东主账号');
  await page.getByRole('button', { name: '测试连接 京东主账号' }).click();
  await shows(page.getByText(/京东主账号 连接正常/));
};

const enterGoodsAndPromise = async (page: Page): Promise<void> => {
  await follow(page, '物品');
  const goods = await begin(page, '新建物品');
  await goods.getByLabel('名称').fill('文件');
  await choose(goods.getByLabel('类型'), '普通货物');
  await choose(goods.getByLabel('承运商'), '京东物流');
  await save(page, goods, '已新建 文件');
  await follow(page, '时效产品');
  const promise = await begin(page, '新建时效');
  await choose(promise.getByLabel('承运商'), '京东物流');
  await promise.getByLabel('产品代码').fill('ed-m-0001');
  await promise.getByRole('textbox', { name: '名称', exact: true }).fill('京东标快');
  await save(page, promise, '已新建 京东标快');
};

const pasteTemplate = async (page: Page): Promise<void> => {
  await follow(page, '运费模板');
  const form = await begin(page, '新建运费模板');
  await form.getByLabel('名称').fill('标准价目');
  await form.getByLabel('时效').click();
  await page.getByRole('option', { name: /京东标快/ }).click();
  await page.keyboard.press('Control+Enter');
  const grid = page.getByRole('grid', { name: '标准价目 的价目表' });
  await shows(grid);
  await grid.locator('[data-cell="0-1"]').click();
  await pasteText(page, priceList);
  await shows(page.getByText('未发现问题。'));
  await page.getByRole('button', { name: '发布', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: '发布', exact: true }).click();
  await shows(page.getByText('第 1 版已生效'));
};

const bindScheme = async (page: Page): Promise<void> => {
  await follow(page, '运费方案');
  const form = await begin(page, '新建方案');
  await form.getByLabel('名称').fill('标准方案');
  await choose(form.getByLabel(/京东标快/), '标准价目');
  await save(page, form, '已新建 标准方案');
};

/** Creates a partner and two stations below it, all with the same freight scheme. */
const buildTree = async (page: Page): Promise<void> => {
  await follow(page, '网点');
  const top = await begin(page, '新建网点');
  await top.getByRole('textbox', { name: '名称', exact: true }).fill('示例合伙人');
  await choose(top.getByLabel('运费方案'), '标准方案');
  await save(page, top, '已新建 示例合伙人');
  for (const name of ['示例一站', '示例二站']) {
    await shownPage(page, 'StationTable')
      .getByRole('button', { name: '示例合伙人 的更多操作' })
      .click();
    await page.getByRole('menuitem', { name: '新建下级' }).click();
    const form = page.getByRole('dialog', { name: /新建下级/ });
    await form.getByRole('textbox', { name: '名称', exact: true }).fill(name);
    await choose(form.getByLabel('运费方案'), '标准方案');
    await save(page, form, `已新建 ${name}`);
  }
};

/**
 * Creates accounts for the partner and for both stations. Returns the one-time password of the
 * first station's account.
 */
const openAccounts = async (page: Page): Promise<string> => {
  await follow(page, '账号');
  const passwords: Record<string, string> = {};
  for (const [username, role, station] of [
    ['partner.one', '合伙人', '示例合伙人'],
    ['station.one', '站长', '示例一站'],
    ['station.two', '站长', '示例二站'],
  ] as const) {
    const form = await begin(page, '新建账号');
    await form.getByLabel('用户名').fill(username);
    await choose(form.getByLabel('角色'), role);
    await form.getByRole('combobox', { name: '网点' }).fill(station);
    await page.getByRole('option', { name: station }).click();
    await form.getByRole('button', { name: '保存', exact: true }).click();
    const passwordDialog = page.getByRole('dialog', { name: `${username} 的一次性密码` });
    await shows(passwordDialog);
    passwords[username] = await passwordDialog.locator('code').innerText();
    await passwordDialog.getByRole('button', { name: '已保存' }).click();
    await gone(passwordDialog);
  }
  return passwords['station.one']!;
};

const topUp = async (page: Page): Promise<void> => {
  await follow(page, '充值');
  await mainMenu(page).getByRole('link', { name: '账单' }).click();
  const form = await begin(page, '充值');
  await form.getByRole('combobox', { name: '网点' }).fill('示例一站');
  await page.getByRole('option', { name: /示例一站/ }).click();
  await form.getByRole('textbox', { name: '金额' }).fill('100');
  await form.getByRole('button', { name: /充值/ }).click();
  await shows(notice(page, /示例一站/));
};

/**
 * Logs in as the station for the first time and sets the new password that this requires. Then
 * orders the station's first parcel.
 */
const orderFirst = async (page: Page, first: string): Promise<string> => {
  await logIn(page, 'station.one', first);
  const change = page.getByRole('form', { name: '修改密码' });
  await change.getByLabel('当前密码').fill(first);
  await change.getByLabel('新密码').first().fill('a parcel a minute');
  await change.getByLabel('确认新密码').fill('a parcel a minute');
  await change.getByRole('button', { name: '修改并继续' }).click();
  await arrives(page, '/dashboard/workplace');
  await mainMenu(page).getByRole('link', { name: '在线下单' }).click();
  const sender = store(page).getByRole('region', { name: /^寄件人/ });
  await sender.getByLabel('姓名').fill('示例一站');
  await sender.getByLabel('电话').fill('13800000002');
  await sender.getByRole('combobox', { name: '省 / 市 / 区县' }).fill('南山');
  await page
    .getByRole('option', { name: /深圳.*南山/ })
    .first()
    .click();
  await sender.getByLabel('详细地址').fill('示例科技路2号');
  const box = store(page).getByRole('textbox', { name: '粘贴整段收件信息，回车识别' });
  await box.fill('赵靐芳 13900139000 上海市浦东新区世纪大道100号');
  await box.press('Enter');
  await expect
    .poll(() => receiver(page).getByRole('combobox', { name: '姓名' }).inputValue())
    .not.toBe('');
  await store(page).getByRole('combobox', { name: '物品' }).click();
  await page.getByRole('option', { name: '文件' }).click();
  await store(page).getByRole('textbox', { name: '重量（kg）' }).fill('1.2');
  await shows(store(page).getByRole('table', { name: '计费明细' }));
  await page.keyboard.press('F8');
  return orderedWaybill(page);
};

describe('a network', () => {
  inBrowserDaily(
    'a network is set up on an empty database, led by the checklist, until a station has ordered its first parcel',
    async ({ open, allow }) => {
      allow(/403/);
      const place = await emptyProduct();
      const { page } = await open({ base: place.url });
      await logIn(page, place.founder.username, place.founder.password);
      await arrives(page, '/dashboard/workplace');
      await enterMerchant(page);
      await enterGoodsAndPromise(page);
      await pasteTemplate(page);
      await bindScheme(page);
      await buildTree(page);
      const first = await openAccounts(page);
      await topUp(page);
      const { page: station } = await open({ base: place.url });
      expect(await orderFirst(station, first)).toMatch(/^JDVE\d+$/);
      await mainMenu(page).getByRole('link', { name: '工作台' }).click();
      await page.getByRole('button', { name: '刷新' }).first().click();
      await gone(page.getByRole('region', { name: '开通向导' }));
    },
  );
});

inBrowserDaily(
  'the product that npm start runs archives its log into the folder of WAYSTATION_WAL_DIR',
  async () => {
    const place = await emptyProduct();
    const archived = (): string[] =>
      readdirSync(place.walDir, { recursive: true }).filter((name) =>
        /[\\/][0-9A-F]{24}$/.test(`${name}`),
      ) as string[];
    await expect.poll(archived, { timeout: limitMs(60_000) }).not.toEqual([]);
  },
);
