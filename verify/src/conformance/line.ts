import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A call that the proxy received from the adapter. */
export interface LineCall {
  path: string;
  /** The received body, and the same body after form decoding. */
  texts: readonly [string, string];
  /**
   * The carrier's complete answer, even if the proxy passed on only a part of it. Null if the call
   * did not reach the carrier.
   */
  answer: string | null;
}

/**
 * The possible fates of a call that passes through the proxy. If `ask` is false, the proxy does not
 * send the call to the carrier.
 */
export type Fate =
  | { does: 'drop'; ask: boolean }
  | { does: 'cut' }
  | { does: 'wait'; ms: number }
  | { does: 'alter'; alter: (answer: string) => string }
  | {
      does: 'answer';
      ask: boolean;
      status: number;
      headers?: Record<string, string>;
      body: string | Buffer;
    };

/** The path to which the carrier sends its pushes. */
const pushPath = '/_kit/push';
/** The path that a call reaches only if it follows a redirect. */
export const strayPath = '/_kit/stray';

/**
 * A proxy between the adapter and the carrier. It counts the calls, and passes them on unchanged or
 * breaks them as a network would. A real carrier can therefore be tested with faults too.
 */
export interface Line {
  origin: string;
  port: number;
  pushUrl: string;
  calls: readonly LineCall[];
  /** The bodies of the carrier's pushes. */
  pushes: readonly string[];
  /**
   * Runs `act` and returns its result and its calls. `fate` decides what happens to each call; null
   * means that the call is passed on unchanged.
   */
  during<T>(
    fate: (call: Pick<LineCall, 'texts' | 'path'>, nth: number) => Fate | null,
    act: () => Promise<T>,
  ): Promise<{ result: T; calls: readonly LineCall[] }>;
  close(): Promise<void>;
}

const bodyOf = async (request: IncomingMessage): Promise<Buffer> => {
  const parts: Buffer[] = [];
  for await (const part of request as AsyncIterable<Buffer>) parts.push(part);
  return Buffer.concat(parts);
};

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
};

interface Passed {
  status: number;
  headers: Record<string, string>;
  body: Buffer;
}

const ownHeaders = new Set(['host', 'connection', 'content-length', 'transfer-encoding']);

const pass = async (
  target: URL,
  { url = '/', method = 'POST', headers }: IncomingMessage,
  body: Buffer,
): Promise<Passed> => {
  const given = Object.entries(headers).filter(([name]) => !ownHeaders.has(name));
  const answer = await fetch(new URL(url, target.origin), {
    method,
    headers: given.map(([name, value]): [string, string] => [name, String(value)]),
    ...(method === 'POST' && { body: new Uint8Array(body) }),
    redirect: 'manual',
  });
  const type = answer.headers.get('content-type');
  return {
    status: answer.status,
    headers: type === null ? {} : { 'content-type': type },
    body: Buffer.from(await answer.arrayBuffer()),
  };
};

const send = (response: ServerResponse, { status, headers, body }: Passed): void => {
  response.writeHead(status, { ...headers, 'content-length': body.length });
  response.end(body);
};

const sendHalf = (response: ServerResponse, { status, headers, body }: Passed): void => {
  response.writeHead(status, { ...headers, 'content-length': body.length });
  response.write(body.subarray(0, Math.max(1, body.length >> 1)), () => response.destroy());
};

const answered = async (
  fate: Fate | null,
  response: ServerResponse,
  ask: () => Promise<Passed>,
): Promise<void> => {
  if (fate === null) return send(response, await ask());
  if (fate.does === 'wait') {
    const passed = await ask();
    await new Promise((resolve) => setTimeout(resolve, fate.ms));
    return send(response, passed);
  }
  if (fate.does === 'cut') return sendHalf(response, await ask());
  if (fate.does === 'alter') {
    const passed = await ask();
    return send(response, { ...passed, body: Buffer.from(fate.alter(passed.body.toString())) });
  }
  if (fate.ask) await ask();
  if (fate.does === 'drop') return void response.destroy();
  send(response, {
    status: fate.status,
    headers: { 'content-type': 'application/json;charset=utf-8', ...fate.headers },
    body: Buffer.from(fate.body),
  });
};

export const openLine = async (carrier: URL): Promise<Line> => {
  const calls: LineCall[] = [];
  const pushes: string[] = [];
  let rule: (call: LineCall, nth: number) => Fate | null = () => null;
  let since = 0;
  const server = createServer((request, response) => {
    const serve = async (): Promise<void> => {
      const body = await bodyOf(request);
      const text = body.toString();
      if (request.url?.startsWith(pushPath)) {
        pushes.push(text);
        response.end(JSON.stringify({ code: '200', return_code: '0000', ok: true }));
        return;
      }
      const call: LineCall = {
        path: request.url ?? '',
        texts: [text, decoded(text)],
        answer: null,
      };
      calls.push(call);
      await answered(rule(call, calls.length - since), response, async () => {
        const passed = await pass(carrier, request, body);
        call.answer = passed.body.toString();
        return passed;
      });
    };
    serve().catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const origin = `http://127.0.0.1:${port}`;
  return {
    origin,
    port,
    pushUrl: `${origin}${pushPath}`,
    calls,
    pushes,
    during: async (fate, act) => {
      since = calls.length;
      const from = since;
      rule = fate;
      try {
        const result = await act();
        return { result, calls: calls.slice(from) };
      } finally {
        rule = () => null;
      }
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};
