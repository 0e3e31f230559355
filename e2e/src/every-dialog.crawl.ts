import { describe } from 'vitest';
import { inBrowser } from './browser.ts';
import { everyDialog } from './dialog-crawl.ts';

// npm run dialogs: too long for every run of the tests.
describe('every dialog of every page', () => {
  for (const language of ['zh-CN', 'en-US'] as const)
    inBrowser(`opens from its page and from its record, in ${language}, without an error`, everyDialog(language), 420_000);
});
