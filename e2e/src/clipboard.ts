import type { BrowserContext, Page } from 'playwright-core';

// The browser has a single clipboard, which simultaneous journeys would share. So each page gets an
// imitation of its own.

/** Gives each page of the browser profile a separate, empty clipboard. */
export const ownClipboard = (context: BrowserContext): Promise<unknown> =>
  context.addInitScript(() => {
    if (!window.isSecureContext) return;
    let copied = '';
    Object.assign(navigator.clipboard, {
      readText: () => Promise.resolve(copied),
      writeText: (text: string) => Promise.resolve(void (copied = text)),
    });
  });

/** The text that the page has copied to its clipboard. */
export const copiedText = (page: Page): Promise<string> =>
  page.evaluate(() => navigator.clipboard.readText());

/**
 * Pastes a text that was copied elsewhere into the focused element, in the same way as the browser
 * does.
 */
export const pasteText = (page: Page, text: string): Promise<void> =>
  page.evaluate((copied) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', copied);
    const paste = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true });
    if ((document.activeElement ?? document).dispatchEvent(paste))
      document.execCommand('insertText', false, copied);
  }, text);
