import { createDecipheriv } from 'node:crypto';
import type { Page } from 'playwright-core';
import { wireOf } from './wire.ts';

/**
 * The recipient of the new order that the clerk's browser would restore after a reload. The stored
 * text is decrypted with the key of the clerk's account.
 */
export const storedReceiver = async (page: Page): Promise<string | undefined> => {
  const [name, text] =
    (await page.evaluate(() =>
      Object.entries(localStorage).find(([key]) => /^waystation-draft:\d+:store$/.test(key)),
    )) ?? [];
  if (name === undefined || text === undefined) return undefined;
  const { storage_key } = await (
    await wireOf('user')
  ).get<{ storage_key: string }>('/api/arco/personal');
  const bytes = Buffer.from((JSON.parse(text as string) as { sealed: string }).sealed, 'base64');
  const decipher = createDecipheriv(
    'chacha20-poly1305',
    Buffer.from(storage_key, 'hex'),
    bytes.subarray(0, 12),
    { authTagLength: 16 },
  );
  decipher.setAAD(Buffer.from(name), { plaintextLength: bytes.length - 28 });
  decipher.setAuthTag(bytes.subarray(-16));
  const plain = Buffer.concat([
    decipher.update(bytes.subarray(12, -16)),
    decipher.final(),
  ]).toString();
  return (JSON.parse(plain) as { form: { receiver: { name: string } } }).form.receiver.name;
};
