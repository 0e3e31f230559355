/**
 * A receiver of webhooks in a separate process that can be killed: `webhook-receiver.ts PORT FILE
 * SECRETS ONE_OF`. It follows only the Standard Webhooks specification. Each line of FILE describes
 * one delivery. The line is written before the answer is sent, so that FILE contains every answered
 * delivery. SECRETS is a file with the secret of each path. On average one of ONE_OF deliveries is
 * first refused. This gives the next event of its parcel the chance to overtake it.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { openSync, readFileSync, writeSync } from 'node:fs';
import { createServer } from 'node:http';
import type { IncomingHttpHeaders } from 'node:http';

/** A delivery that the receiver has written as one line of its file. */
export interface Receipt {
  /** The path of the URL to which the webhook's calls are sent. */
  hook: string;
  id: string;
  /**
   * True if the signature is correct and the signed time is at most five minutes away from the
   * present time.
   */
  signed: boolean;
  type: string;
  data: Record<string, unknown>;
}

const toleranceSeconds = 300;

const isSigned = (headers: IncomingHttpHeaders, body: string, secret: string): boolean => {
  const [id, timestamp, signatures] = ['id', 'timestamp', 'signature'].map((name) =>
    String(headers[`webhook-${name}`] ?? ''),
  ) as [string, string, string];
  if (Math.abs(Date.now() / 1_000 - Number(timestamp)) > toleranceSeconds) return false;
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  const expected = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest();
  return signatures.split(' ').some((signature) => {
    const given = Buffer.from(signature.replace(/^v1,/, ''), 'base64');
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
};

/**
 * Returns the fields that identify an event. `parcel` and `statement` are replaced by their ids.
 */
const shortOf = (data: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(data).map(([name, value]) => [
      name,
      value !== null && typeof value === 'object' ? (value as { id: unknown }).id : value,
    ]),
  );

interface Settings {
  port: number;
  file: string;
  secrets: Readonly<Record<string, string>>;
  oneOf: number;
}

const serve = ({ port, file, secrets, oneOf }: Settings): void => {
  const lines = openSync(file, 'a');
  const refused = new Set<string>();
  /**
   * True if the receiver refuses this delivery. It refuses one of `oneOf` deliveries once while
   * this process runs. The delivery's id decides which ones are refused.
   */
  const isRefused = (id: string): boolean => {
    if (refused.has(id) || Number.parseInt(id.slice(-6), 16) % oneOf !== 0) return false;
    refused.add(id);
    return true;
  };
  createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const hook = request.url!;
      const id = String(request.headers['webhook-id']);
      if (isRefused(id)) return response.writeHead(503).end();
      const body = Buffer.concat(chunks).toString();
      const { type, data } = JSON.parse(body) as Pick<Receipt, 'type' | 'data'>;
      const receipt: Receipt = {
        hook,
        id,
        signed: isSigned(request.headers, body, secrets[hook]!),
        type,
        data: shortOf(data),
      };
      writeSync(lines, `${JSON.stringify(receipt)}\n`);
      response.writeHead(204).end();
    });
  }).listen(port, '127.0.0.1', () => process.send?.('ready'));
};

const [port, file, secrets, oneOf] = process.argv.slice(2) as [string, string, string, string];
serve({
  port: Number(port),
  file,
  secrets: JSON.parse(readFileSync(secrets, 'utf8')) as Record<string, string>,
  oneOf: Number(oneOf),
});
