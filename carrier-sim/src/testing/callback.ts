import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Json } from './jdl-client.ts';

/**
 * A merchant's callback server for tests. It records the messages and answers them as configured.
 */
export type Callback = {
  url: string;
  port: number;
  received: Json[];
  /**
   * Sets the function that answers each message; `times` is the number of messages received so far,
   * including this one. Before it is set, every answer is 200.
   */
  answerWith(answer: (message: Json, times: number) => { status: number; body?: string }): void;
  close(): Promise<void>;
};

export const startCallback = async (port = 0): Promise<Callback> => {
  const received: Json[] = [];
  let answer: (message: Json, times: number) => { status: number; body?: string } = () => ({
    status: 200,
  });
  const server = createServer((request, response) => {
    let text = '';
    request.setEncoding('utf8');
    request.on('data', (part: string) => {
      text += part;
    });
    request.on('end', () => {
      const message: Json = JSON.parse(text);
      received.push(message);
      const { status, body = '{"code":"200","msg":"ok"}' } = answer(message, received.length);
      response.writeHead(status, { 'content-type': 'application/json' }).end(body);
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(port, '127.0.0.1', resolve);
  });
  const bound = (server.address() as AddressInfo).port;
  return {
    url: `http://127.0.0.1:${bound}/push/secret-of-the-path`,
    port: bound,
    received,
    answerWith: (next) => {
      answer = next;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};
