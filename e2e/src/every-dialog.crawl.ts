import { describe } from 'vitest';
import { everyArrangedDialog } from './arranged-dialogs.ts';
import { inBrowser } from './browser.ts';
import { everyDialog } from './dialog-crawl.ts';

// npm run dialogs: this crawl takes too long for the ordinary tests.
describe('every dialog of every page', () => {
  for (const language of ['zh-CN', 'en-US'] as const)
    inBrowser(
      `opens from its page and from its record, in ${language}, without an error`,
      everyDialog(language),
    );
  for (const language of ['zh-CN', 'en-US'] as const)
    inBrowser(
      `that needs a narrow window, or a row or an answer of a kind, opens in ${language} once that is arranged`,
      everyArrangedDialog(language),
    );
});
