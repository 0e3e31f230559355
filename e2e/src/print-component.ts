import { startPrintComponent } from '@waystation/carrier-sim/print-component.ts';
import type { PrintComponent } from '@waystation/carrier-sim/print-component.ts';
import type { BrowserContext } from 'playwright-core';

/** Where the console looks for it, whichever port this stand-in has: other products on this machine have one of their own. */
const address = 'ws://localhost:9113';

/** A print component beside this browser; `ms` is what a label takes. */
export const withPrintComponent = async (ms = 0): Promise<{ component: PrintComponent; before: (context: BrowserContext) => Promise<void> }> => {
  const component = await startPrintComponent({ port: 0, ms });
  return {
    component,
    before: (context) =>
      context.routeWebSocket(address, (page) => {
        const real = new WebSocket(component.url);
        const opened = new Promise((resolve) => real.addEventListener('open', resolve, { once: true }));
        page.onMessage((message) => void opened.then(() => real.send(message as string)));
        page.onClose(() => real.close());
        real.addEventListener('message', ({ data }) => page.send(String(data)));
        real.addEventListener('close', () => void page.close());
      }),
  };
};
