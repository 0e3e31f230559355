import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { lostOf, violationsOf } from './axe.ts';
import { gone, goTo, inBrowser, inBrowserDaily, shows } from './browser.ts';
import type { Visits } from './browser.ts';
import { isDaily, withDaily } from './daily.ts';
import { limitMs } from './harness/limits.ts';
import { keepPicture, picturesAreKept } from './pictures.ts';
import { scenes } from './scenes.ts';
import type { Scene } from './scenes.ts';
import { mayOpen, screens } from './screen-table.ts';
import { closeTab, notFound, profileButton, shownPage } from './shell.ts';

type Theme = 'light' | 'dark';
type Language = 'zh-CN' | 'en-US';
interface Look {
  width: number;
  height: number;
  theme: Theme;
  /**
   * The rules with which axe checks this look: all rules, or only those whose result depends on the
   * theme. Undefined if axe does not check it. Overflow is checked in any case.
   */
  axe?: 'all' | 'theme';
  /** True if the scene is only photographed, and not checked. */
  pictured?: true;
}

const wide = { width: 1440, height: 900 };
/** The size of the wide window at 200 % zoom. */
const zoomed = { width: 720, height: 450 };
const phone = { width: 390, height: 844 };

/**
 * The looks of a screen: language, theme and width. For each language, each theme and each width,
 * axe checks one look with all its rules. The other combinations have never shown a problem of
 * their own, so they are only photographed.
 */
const looks: Readonly<Record<Language, readonly Look[]>> = {
  'zh-CN': [
    { ...wide, theme: 'light', axe: 'all' },
    { ...zoomed, theme: 'light' },
    { ...phone, theme: 'light' },
    { ...phone, theme: 'dark', pictured: true },
    { ...wide, theme: 'dark', axe: 'theme' },
  ],
  'en-US': [
    { ...phone, theme: 'dark', axe: 'all' },
    { ...phone, theme: 'light', pictured: true },
    { ...zoomed, theme: 'light' },
    { ...wide, theme: 'light' },
    { ...wide, theme: 'dark', pictured: true },
  ],
};

/** Sets the window size and the theme without loading the document again. */
const applyLook = async (page: Page, { width, height, theme }: Look): Promise<void> => {
  await page.setViewportSize({ width, height });
  await page.emulateMedia({ colorScheme: theme });
  await expect
    .poll(() => page.evaluate(() => document.documentElement.dataset['theme']))
    .toBe(theme);
  await page.waitForFunction(() =>
    document.getAnimations().every(({ playState }) => playState !== 'running'),
  );
};

const frame = (page: Page): Promise<unknown> =>
  page.evaluate(() => new Promise((drawn) => requestAnimationFrame(drawn)));

/**
 * The elements that are out of reach even after a while. The wait is needed because scripts render
 * the page again after a change of size, which takes longer on a busy machine.
 */
const staysLost = async (page: Page): Promise<string[]> => {
  for (const until = Date.now() + limitMs(5_000); ; await frame(page)) {
    const lost = await lostOf(page);
    if (lost.length === 0 || Date.now() > until) return lost;
  }
};

const faultsOf = async (page: Page, look: Look): Promise<string[]> => {
  const lost = (await staysLost(page)).map((element) => `lost: ${element}`);
  const where = `${look.theme} ${look.width}`;
  return [
    ...(look.axe
      ? await violationsOf(page, { whole: true, onlyTheme: look.axe === 'theme' && !isDaily })
      : []),
    ...lost,
  ].map((fault) => `${where}: ${fault}`);
};

const wholeScene = async (
  open: Visits['open'],
  scene: Scene,
  language: Language,
): Promise<Page> => {
  const { page } = await open({
    ...(scene.role && { role: scene.role }),
    ...(scene.before && { before: scene.before }),
    path: await scene.path(),
    language,
    theme: 'system',
  });
  await scene.settle(page);
  // A blinking caret would make the photographs differ.
  await page.evaluate(() =>
    document.activeElement instanceof HTMLElement ? document.activeElement.blur() : null,
  );
  return page;
};

describe('how it looks', () => {
  for (const scene of scenes)
    for (const language of Object.keys(looks) as Language[])
      (picturesAreKept || (!scene.isScreen && language === 'zh-CN') ? inBrowser : inBrowserDaily)(
        `${scene.name} in ${language} has no finding of axe in either theme, and hides nothing at 200 % and on a phone`,
        async ({ open }) => {
          const page = await wholeScene(open, scene, language);
          const faults: string[] = [];
          for (const look of looks[language].filter(
            ({ pictured }) => !pictured || picturesAreKept,
          )) {
            await applyLook(page, look);
            faults.push(...(await faultsOf(page, look)));
            if (look.width !== zoomed.width)
              await keepPicture(
                page,
                `${scene.name}-${language.slice(0, 2)}-${look.theme}-${look.width}`,
              );
          }
          expect(faults).toEqual([]);
        },
      );

  // Tests every screen of the table, so that a new screen is tested without a change here.
  for (const [role, language, look, more] of withDaily(
    [['super', 'zh-CN', { ...wide, theme: 'light', axe: 'all' }, zoomed]] as const,
    [
      ['super', 'en-US', { ...phone, theme: 'dark', axe: 'all' }, wide],
      ['partner', 'zh-CN', { ...phone, theme: 'light', axe: 'all' }, zoomed],
      ['partner', 'en-US', { ...wide, theme: 'dark', axe: 'all' }, phone],
    ] as const,
  ))
    inBrowser(
      `every screen of ${role} in ${language}, ${look.theme}, ${look.width} px has no finding of axe, hides nothing and shows the account menu`,
      async ({ open }) => {
        const { page } = await open({
          role,
          language,
          theme: look.theme,
          systemTheme: look.theme,
          width: look.width,
          height: look.height,
        });
        const faults: Record<string, string[]> = {};
        for (const { name, path } of screens.filter((screen) => mayOpen(screen, role))) {
          await goTo(page, path);
          await settled(page, name);
          const found = await faultsOf(page, look);
          await page.setViewportSize({ width: more.width, height: more.height });
          found.push(...(await faultsOf(page, { ...more, theme: look.theme })));
          await page.setViewportSize({ width: look.width, height: look.height });
          // The logout is in the account menu, so every screen must show the button of that menu.
          if (!(await profileButton(page).isVisible())) found.push('the account menu is missing');
          if (found.length > 0) faults[name] = found;
          await closeTab(page);
        }
        expect(faults).toEqual({});
      },
    );
});

/** Waits until the page has loaded its content. */
const settled = async (page: Page, name: string): Promise<void> => {
  const shown = shownPage(page, name);
  await shows(shown.getByRole('heading', { level: 1 }).first().or(notFound(page)));
  // Waits only for progress bars that show loading. The progress bar of a full ledger check must be
  // ignored, because it stays for a minute.
  await gone(page.getByRole('progressbar', { name: /^(?:正在加载|Loading)$/ }));
  await expect.poll(() => shown.locator('[aria-busy=true]').count()).toBe(0);
  await page.waitForFunction(() =>
    document.getAnimations().every(({ playState }) => playState !== 'running'),
  );
};
