import { randomBytes } from 'node:crypto';
import type { FileAnswer } from './context.ts';

/**
 * Returns a file and JSON about it in one body: `multipart/form-data` with the parts `result` and
 * `file`. A header has room for only a few kilobytes, but a result may have as many rows as were
 * requested.
 */
export const fileWithResult = (
  { body, type, name, headers }: FileAnswer & { body: Uint8Array },
  result: unknown,
): FileAnswer => {
  const boundary = `waystation-${randomBytes(16).toString('hex')}`;
  const part = (line: string, contentType: string): string =>
    `--${boundary}\r\ncontent-disposition: form-data; ${line}\r\ncontent-type: ${contentType}\r\n\r\n`;
  const pieces = [
    Buffer.from(
      `${part('name="result"', 'application/json')}${JSON.stringify(result)}\r\n${part(`name="file"; filename="${name}"`, type)}`,
    ),
    body,
    Buffer.from(`\r\n--${boundary}--\r\n`),
  ];
  return {
    body: Buffer.concat(pieces),
    type: `multipart/form-data; boundary=${boundary}`,
    name,
    ...(headers && { headers }),
  };
};
