import { createHash, timingSafeEqual } from 'node:crypto';
import * as z from 'zod/mini';
import type { App } from '#app.ts';
import { fail } from '#platform/fail.ts';
import type { RawPost } from '#platform/http/raw.ts';
import { loginPath } from './installations.ts';
import { knowsPassword } from './login.ts';

const hash = (text: string): Buffer => createHash('sha256').update(text).digest();

const bodySchema = z.object({
  key: z.string(),
  username: z.string().check(z.minLength(1), z.maxLength(200)),
  password: z.string().check(z.minLength(1), z.maxLength(1_000)),
  address: z.string().check(z.maxLength(100)),
});

const parsed = (bytes: Buffer): z.infer<typeof bodySchema> | null => {
  try {
    return bodySchema.parse(JSON.parse(bytes.toString('utf8')));
  } catch {
    return null;
  }
};

/**
 * The endpoint at which another installation asks whether a name and its password are right here.
 * It opens no session. The attempt is counted like a login from the person's own IP address.
 * Answers 404 if the installations do not share a key, or the key is wrong.
 */
export const loginElsewhere = (app: App): Omit<RawPost, 'assertRoom'> => ({
  path: loginPath,
  bodyLimit: 8 * 1024,
  handle: async (_params, bytes) => {
    const { installations } = app.config;
    const body = parsed(bytes);
    if (!installations || !body) return fail('not_found');
    if (!timingSafeEqual(hash(body.key), hash(installations.key))) return fail('not_found');
    return { status: 200, body: { here: await knowsPassword(app, body) } };
  },
  away: () => ({ here: false }),
});
