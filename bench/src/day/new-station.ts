/**
 * Measures the setup of a new station by keyboard only, with the guide (requirements §10.17.4). The
 * time begins with the first key press and ends with the station's first accepted parcel.
 */
import type { Browser, Page } from 'playwright-core';
import { openPage } from '#browser/chromium.ts';
import { handOn } from '#browser/hand.ts';
import { pause } from '#browser/program.ts';

const timeoutMs = 30_000;
const customer = '李四 13900139001 上海市浦东新区世纪大道100号';

const logIn = async (url: string, password: string): Promise<string> => {
  const body = JSON.stringify({ username: 'super', password });
  const answer = await fetch(`${url}/api/arco/login/password`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  });
  if (!answer.ok) throw new Error(`super could not log in: ${answer.status}`);
  return ((await answer.json()) as { data: { access_token: string } }).data.access_token;
};

/** Waits until the focused element has this field name or this text. */
const isAt = (page: Page, name: string): Promise<unknown> =>
  page.waitForFunction(
    (wanted) => {
      const element = document.activeElement;
      return (
        (element as HTMLInputElement | null)?.name === wanted ||
        element?.textContent?.trim() === wanted
      );
    },
    name,
    { timeout: timeoutMs, polling: 'raf' },
  );

/** Presses Tab until the field or button with this name has the focus. */
const tabTo = async (
  page: Page,
  hand: ReturnType<typeof handOn>,
  selector: string,
): Promise<void> => {
  for (let stops = 0; stops < 40; stops++) {
    if (await page.evaluate((wanted) => document.activeElement?.matches(wanted) ?? false, selector))
      return;
    await hand.press('Tab');
  }
  throw new Error(`Tab does not reach ${selector}`);
};

interface Setup {
  station_name: string;
  steps: { step: string; state: string }[];
}

type Hand = ReturnType<typeof handOn>;

/** Fills in the form of the station: name, place by pinyin initials, sender, freight scheme. */
const fillStation = async (page: Page, hand: Hand): Promise<void> => {
  await hand.press('o');
  await hand.wait(() => isAt(page, 'name'));
  await hand.type('Nanshan 2');
  // Finds the place by its pinyin and enters it. Then enters the freight scheme.
  await tabTo(page, hand, '[name="province"], [data-name="province"] *');
  await hand.type('sz ns');
  await hand.wait(() => page.getByRole('option').first().waitFor({ timeout: timeoutMs }));
  await hand.decide();
  await hand.press('Enter');
  await tabTo(page, hand, '[name="address"]');
  await hand.type('Keji Road 2');
  await tabTo(page, hand, '[name="sender_name"]');
  await hand.type('Nanshan 2');
  await hand.press('Tab');
  await hand.type('13800001099');
  await tabTo(page, hand, '[name="project_id"], [data-name="project_id"] *');
  await hand.press('Enter');
  await hand.wait(() => page.getByRole('option').first().waitFor({ timeout: timeoutMs }));
  await hand.press('ArrowDown');
  await hand.press('Enter');
  await hand.decide();
  await hand.press('Control+Enter');
};

/**
 * Creates the manager's account and makes the first top-up. The password of the account is shown
 * only once.
 */
const addAccountAndMoney = async (page: Page, hand: Hand): Promise<void> => {
  // When the setup step "price" is done, the page shows the next step, the account.
  await hand.wait(() => isAt(page, '新建账号'));
  await hand.decide();
  await hand.press('Enter');
  await hand.wait(() => isAt(page, 'username'));
  await hand.type('nanshan2');
  await hand.press('Control+Enter');
  await hand.wait(() =>
    page.getByRole('button', { name: '已保存' }).waitFor({ timeout: timeoutMs }),
  );
  await hand.decide();
  await tabTo(page, hand, 'button:not([aria-label])');
  await hand.press('Enter');
  await hand.wait(() => isAt(page, '充值'));
  await hand.press('Enter');
  await hand.wait(() => isAt(page, 'amount'));
  await hand.type('500');
  await hand.press('Enter');
  await hand.wait(() => isAt(page, '去下单'));
  await hand.press('Enter');
};

/** Orders a parcel: pastes a customer's text and enters the goods and the weight. */
const orderFirst = async (page: Page, hand: Hand): Promise<void> => {
  await hand.wait(() =>
    page.waitForFunction(
      () =>
        (document.querySelector('[name="sender.name"]') as HTMLInputElement | null)?.value ===
        'Nanshan 2',
      undefined,
      {
        timeout: timeoutMs,
      },
    ),
  );
  await page.evaluate((value) => navigator.clipboard.writeText(value), customer);
  await hand.decide();
  await tabTo(page, hand, 'textarea');
  await hand.press('ControlOrMeta+v');
  await hand.press('Enter');
  await hand.wait(() =>
    page.waitForFunction(
      () =>
        (document.querySelector('[name="receiver.name"]') as HTMLInputElement | null)?.value ===
        '李四',
    ),
  );
  await hand.decide();
  await tabTo(page, hand, '[name="goods"]');
  await hand.press('ArrowDown');
  await hand.wait(() => page.getByRole('option').first().waitFor({ timeout: timeoutMs }));
  await hand.press('Enter');
  await tabTo(page, hand, '[name="weight"]');
  await hand.type('1');
  await hand.press('F8');
};

export const newStation = async (
  browser: Browser,
  url: string,
  password: string,
): Promise<{ total: number; waited: number; keys: number }> => {
  const token = await logIn(url, password);
  const { page, close } = await openPage(browser, { throttled: false, token });
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin: url });
  await page.goto(`${url}/#/model/stations`);
  await page.getByRole('treegrid').getByRole('row').nth(1).waitFor({ timeout: timeoutMs });
  const hand = handOn(page);
  const from = performance.now();
  await hand.decide();
  await fillStation(page, hand);
  await addAccountAndMoney(page, hand);
  await orderFirst(page, hand);
  const isAccepted = async (): Promise<boolean> => {
    const answer = await fetch(`${url}/api/arco/stations/setups`, {
      headers: { authorization: `Bearer ${token}` },
    });
    const { data } = (await answer.json()) as { data: { items: Setup[] } };
    return data.items.some(
      ({ station_name, steps }) => station_name === 'Nanshan 2' && steps.at(-1)!.state === 'done',
    );
  };
  await hand.wait(async () => {
    for (const until = Date.now() + timeoutMs; !(await isAccepted()); await pause(50))
      if (Date.now() > until) throw new Error('the first parcel was not accepted');
  });
  const total = performance.now() - from;
  await close();
  return { total, waited: hand.waited(), keys: hand.keys() };
};
