import { Readable } from 'node:stream';

/** A response that continues: server-sent events (docs/decisions/0046). */
export interface EventStream {
  body: Readable;
  /**
   * Sends one message; without `data` the message only sends the new id. Returns false if the
   * client read too slowly and was disconnected.
   */
  send(id: string, data?: string): boolean;
  end(): void;
  onClose(closed: () => void): void;
}

/** A response that continues after the handler has returned. */
export interface StreamAnswer {
  stream: EventStream;
}

/**
 * The number of bytes that may wait for a client. If more wait, the client is disconnected; it
 * reconnects and continues where it stopped.
 */
const mostWaiting = 256 * 1024;

export const openEventStream = (): EventStream => {
  const body = new Readable({ read() {} });
  // A reader that disconnects is not an error of ours.
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

/** Headers that prevent proxies from storing, compressing or buffering the stream. */
export const streamHeaders = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store, no-transform',
  'x-accel-buffering': 'no',
} as const;

export const isStream = (answer: unknown): answer is StreamAnswer =>
  typeof answer === 'object' &&
  answer !== null &&
  (answer as StreamAnswer).stream?.body instanceof Readable;
