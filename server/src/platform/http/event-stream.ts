import { Readable } from 'node:stream';

/** A response that goes on: server-sent events (docs/decisions/0046). */
export interface EventStream {
  body: Readable;
  /** One message; without `data` it only moves the id on. False where the reader is too slow and was cut off. */
  send(id: string, data?: string): boolean;
  end(): void;
  onClose(closed: () => void): void;
}

/** An answer of a handler that goes on. */
export interface StreamAnswer {
  stream: EventStream;
}

/** What may wait for a reader; with more it is cut off, and resumes where it was. */
const mostWaiting = 256 * 1024;

export const openEventStream = (): EventStream => {
  const body = new Readable({ read() {} });
  // A reader that goes away is no error of ours.
  body.on('error', () => {});
  return {
    body,
    send: (id, data) => {
      if (body.destroyed || body.readableEnded) return false;
      if (body.readableLength > mostWaiting) {
        body.destroy();
        return false;
      }
      body.push(data === undefined ? `id: ${id}\n\n` : `id: ${id}\ndata: ${data}\n\n`);
      return true;
    },
    end: () => void body.push(null),
    onClose: (closed) => void body.once('close', closed),
  };
};

/** For proxies too: sent as written, neither stored, compressed nor buffered. */
export const streamHeaders = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store, no-transform',
  'x-accel-buffering': 'no',
} as const;

export const isStream = (answer: unknown): answer is StreamAnswer =>
  typeof answer === 'object' && answer !== null && (answer as StreamAnswer).stream?.body instanceof Readable;
