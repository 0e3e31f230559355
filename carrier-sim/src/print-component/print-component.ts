import type { AddressInfo } from 'node:net';
import { WebSocketServer } from 'ws';
import { answerTo } from './answer.ts';
import type { ComponentState, PrintedLabel } from './answer.ts';

/**
 * The port of the carrier's print component, which is in the content security policy of the web.
 */
export const componentPort = 9113;
/**
 * The largest size of one message in bytes. The real component prints only a few labels per
 * message.
 */
const mostBytes = 10_000_000;

export interface PrintComponent {
  /** `ws://…`, as a browser on this machine reaches it. */
  url: string;
  /** The printed labels, oldest first. */
  printed: readonly PrintedLabel[];
  /**
   * Refuses the next `times` labels of this print key, or of any print key if `key` is `*`, with
   * this text.
   */
  failNext(key: string, message: string, times?: number): void;
  /** Makes the component ignore the next `times` messages. */
  ignoreNext(times: number): void;
  close(): Promise<void>;
}

export interface ComponentOptions {
  /** The port to listen on; with 0, any free port. */
  port?: number;
  printers?: readonly string[];
  /** How many milliseconds one label takes to print. */
  ms?: number;
}

/**
 * Simulates the carrier's print component on a packing desk's computer. It accepts labels over a
 * WebSocket and prints nothing.
 */
export const startPrintComponent = async ({
  port = componentPort,
  printers = ['示例打印机 A', '示例打印机 B'],
  ms = 0,
}: ComponentOptions = {}): Promise<PrintComponent> => {
  const state: ComponentState = { printers, printed: [], failures: [] };
  let ignored = 0;
  const server = new WebSocketServer({ host: 'localhost', port, maxPayload: mostBytes });
  await new Promise<void>(
    (resolve, reject) => void server.once('listening', resolve).once('error', reject),
  );
  server.on('connection', (socket) => {
    // If the user closes the page while its label prints, that is no error of the component.
    socket.on('error', () => {});
    socket.on('message', (raw) => {
      if (ignored > 0) {
        ignored--;
        return;
      }
      const answer = answerTo(state, raw.toString());
      setTimeout(
        () => socket.readyState === socket.OPEN && socket.send(JSON.stringify(answer)),
        ms,
      );
    });
  });
  return {
    url: `ws://localhost:${(server.address() as AddressInfo).port}`,
    printed: state.printed,
    failNext: (key, message, times = 1) => void state.failures.push({ key, message, times }),
    ignoreNext: (times) => {
      ignored = times;
    },
    close: () =>
      new Promise((resolve) => {
        for (const socket of server.clients) socket.terminate();
        server.close(() => resolve());
      }),
  };
};
