import { Agent as PlainAgent, request as plainRequest } from 'node:http';
import { Agent as SecureAgent, request as secureRequest } from 'node:https';

export type Posted = { status: number; body: string };

/**
 * Sends JSON by POST over connections that stay open. Rejects if no complete response arrives in
 * time.
 */
export type Poster = {
  post(url: string, body: string, timeoutMs: number): Promise<Posted>;
  close(): void;
};

const mostAnswer = 65_536;

export const createPoster = (): Poster => {
  const plain = new PlainAgent({ keepAlive: true, maxSockets: 16 });
  const secure = new SecureAgent({ keepAlive: true, maxSockets: 16 });
  return {
    post: (url, body, timeoutMs) =>
      new Promise((resolve, reject) => {
        const target = new URL(url);
        const bytes = Buffer.from(body);
        const options = {
          method: 'POST',
          headers: {
            'content-type': 'application/json;charset=utf-8',
            'content-length': bytes.length,
            'user-agent': 'carrier-sim',
          },
          signal: AbortSignal.timeout(timeoutMs),
        };
        const isSecure = target.protocol === 'https:';
        const request = isSecure
          ? secureRequest(target, { ...options, agent: secure })
          : plainRequest(target, { ...options, agent: plain });
        request.on('error', reject);
        request.on('response', (response) => {
          const parts: Buffer[] = [];
          let size = 0;
          response.on('data', (part: Buffer) => {
            size += part.length;
            if (size <= mostAnswer) parts.push(part);
          });
          response.on('error', reject);
          response.on('end', () =>
            resolve({
              status: response.statusCode ?? 0,
              body: Buffer.concat(parts).toString('utf8'),
            }),
          );
        });
        request.end(bytes);
      }),
    close: () => {
      plain.destroy();
      secure.destroy();
    },
  };
};
