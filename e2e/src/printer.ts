import type { BrowserContext, Page } from 'playwright-core';

/** No printer is asked; how often one would have been, `printings` tells. A headless Chromium dies of its own print dialog. */
export const withoutPrinter = (context: BrowserContext): Promise<unknown> =>
  context.addInitScript(() => {
    const { get } = Object.getOwnPropertyDescriptor(HTMLIFrameElement.prototype, 'contentWindow')!;
    const counted = { printings: 0 };
    Object.assign(window, { counted });
    Object.defineProperty(HTMLIFrameElement.prototype, 'contentWindow', {
      get(this: HTMLIFrameElement) {
        return this.ariaHidden === 'true' ? { print: () => (counted.printings += 1) } : get!.call(this);
      },
    });
  });
export const printings = (page: Page): Promise<number> => page.evaluate(() => (window as unknown as { counted: { printings: number } }).counted.printings);
