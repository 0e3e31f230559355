import type { BrowserContext, Page } from 'playwright-core';

/**
 * Imitates printing, so that no printer is used. `printings` counts the attempts to print. Frames
 * for PDFs stay blank, because the tests' browser cannot show PDFs. In another browser, the print
 * dialog would end a headless Chromium.
 */
export const withoutPrinter = (context: BrowserContext): Promise<unknown> =>
  context.addInitScript(() => {
    const of = (name: 'contentWindow' | 'src') =>
      Object.getOwnPropertyDescriptor(HTMLIFrameElement.prototype, name)!;
    const [contentWindow, src] = [of('contentWindow'), of('src')];
    const counted = { printings: 0 };
    Object.assign(window, { counted });
    Object.defineProperty(Navigator.prototype, 'pdfViewerEnabled', { get: () => true });
    Object.defineProperty(HTMLIFrameElement.prototype, 'contentWindow', {
      get(this: HTMLIFrameElement) {
        return this.ariaHidden === 'true'
          ? { print: () => (counted.printings += 1) }
          : contentWindow.get!.call(this);
      },
    });
    Object.defineProperty(HTMLIFrameElement.prototype, 'src', {
      ...src,
      set(this: HTMLIFrameElement, value: string) {
        src.set!.call(this, value.startsWith('blob:') ? 'about:blank' : value);
      },
    });
  });
export const printings = (page: Page): Promise<number> =>
  page.evaluate(() => (window as unknown as { counted: { printings: number } }).counted.printings);
