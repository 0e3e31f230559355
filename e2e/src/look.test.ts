import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { lostOf, violationsOf } from './axe.ts';
import { inBrowser } from './browser.ts';
import { scenes } from './scenes.ts';

/** Kept for people to look at (e2e/README.md); taken again with WAYSTATION_PICTURES=1. */
const baseline = join(import.meta.dirname, '..', 'baseline');
const taking = process.env['WAYSTATION_PICTURES'] === '1';
const folder = process.env['WAYSTATION_PICTURES_IN'] ?? baseline;

const languages = ['zh-CN', 'en-US'] as const;
const themes = ['light', 'dark'] as const;
/** A wide screen, the same at 200 % zoom, and a phone. */
const sizes = [
  { width: 1440, height: 900 },
  { width: 720, height: 450 },
  { width: 390, height: 844 },
] as const;

/** What the other language and the narrow dark page could show axe, these do. */
const isAsked = (language: string, theme: string, width: number): boolean =>
  (width === 1440 && (language === 'zh-CN' || theme === 'light')) || (width === 390 && theme === 'light');

/** Nothing is on its way any more. */
const still = (page: Page): Promise<unknown> => page.waitForFunction(() => document.getAnimations().every(({ playState }) => playState !== 'running'));

const picture = async (page: Page, name: string): Promise<void> => {
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: join(folder, `${name}.png`), animations: 'disabled', caret: 'hide' });
};

// The whole matrix of languages, themes and widths takes minutes: asked for by name (docs/web.md).
describe.runIf(process.env['WAYSTATION_LOOK'] === '1')('how it looks', () => {
  for (const scene of scenes)
    for (const language of languages)
      inBrowser(`${scene.name} in ${language} has nothing for axe to find in either theme, and loses nothing at 200 % and on a phone`, async ({ open }) => {
        const { page } = await open({
          ...(scene.role && { role: scene.role }),
          ...(scene.before && { before: scene.before }),
          path: await scene.path(),
          language,
          theme: 'system',
        });
        await scene.settle(page);
        // A caret that blinks is no part of the look.
        await page.evaluate(() => (document.activeElement instanceof HTMLElement ? document.activeElement.blur() : null));
        for (const { width, height } of sizes) {
          await page.setViewportSize({ width, height });
          for (const colorScheme of themes) {
            await page.emulateMedia({ colorScheme });
            await expect.poll(() => page.evaluate(() => document.documentElement.dataset['theme'])).toBe(colorScheme);
            await still(page);
            if (isAsked(language, colorScheme, width)) expect(await violationsOf(page)).toEqual([]);
            if (taking && width !== 720) await picture(page, `${scene.name}-${language.slice(0, 2)}-${colorScheme}-${width}`);
          }
          expect(await lostOf(page)).toEqual([]);
        }
      });
});
