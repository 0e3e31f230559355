import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { BrowserContext } from 'playwright-core';

/**
 * The URL at which the console expects the print component. The imitation uses any free port,
 * because other products on this machine may have a component of their own.
 */
const address = 'ws://localhost:9113';
const program = join(
  import.meta.dirname,
  '..',
  '..',
  'carrier-sim',
  'src',
  'print-component',
  'main.ts',
);

/** A label printed by the simulation. */
export interface PrintedLabel {
  printer: string;
  data: string;
  /** Millimetres. */
  offset: { top: number; left: number };
}

export interface PrintComponent {
  /** The printed labels, oldest first. */
  printed(): Promise<PrintedLabel[]>;
  /** Makes the component refuse the next label with this text. */
  failNext(words: string): Promise<void>;
  close(): void;
}

/** Imitates the print component for this browser; `ms` is the time per label. */
export const withPrintComponent = async (
  ms = 0,
): Promise<{ component: PrintComponent; before: (context: BrowserContext) => Promise<void> }> => {
  const child = fork(program, ['0', String(ms)], { stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
  const [{ url }] = (await once(child, 'message')) as [{ url: string }];
  const ask = async (message: object): Promise<PrintedLabel[]> => {
    const answered = once(child, 'message') as Promise<[{ printed: PrintedLabel[] }]>;
    child.send(message);
    return (await answered)[0].printed;
  };
  return {
    component: {
      printed: () => ask({}),
      failNext: async (words) => void (await ask({ fail: words })),
      close: () => child.disconnect(),
    },
    before: (context) =>
      context.routeWebSocket(address, (page) => {
        const real = new WebSocket(url);
        const opened = new Promise((resolve) =>
          real.addEventListener('open', resolve, { once: true }),
        );
        page.onMessage((message) => void opened.then(() => real.send(message as string)));
        page.onClose(() => real.close());
        real.addEventListener('message', ({ data }) => page.send(String(data)));
        real.addEventListener('close', () => void page.close());
      }),
  };
};
