import { isProvider } from '@waystation/contract/network/provider.ts';
import type { App } from '#app.ts';
import { carrierText } from '#domain/carriers/carriers.ts';
import type { Carrier } from '#domain/carriers/carriers.ts';
import { pushStore } from '#domain/express/express.ts';
import { fail } from '#platform/fail.ts';
import type { RawPost } from '#platform/http/raw.ts';

/** Returns the carrier; null if it has no adapter. In that case the URL does not exist. */
const carrierNamed = (app: App, provider: string): Carrier | null => {
  try {
    return app.carrierOf(provider);
  } catch {
    return null;
  }
};

/**
 * The endpoint for carriers' pushes (requirements §7). The secret in its URL protects it, and its
 * response has the carrier's own format. A push is stored before it is interpreted. The carrier
 * gets its acknowledgement only after the commit, and otherwise repeats the push.
 */
export const carrierPush = (app: App): Omit<RawPost, 'assertRoom'> => {
  const store = pushStore(app.db);
  return {
    path: '/api/carriers/:provider/push/:secret',
    // The pushes of carriers are small, one for each event.
    bodyLimit: 64 * 1024,
    handle: async ({ provider = '', secret = '' }, bytes, contentType) => {
      const body = carrierText(bytes, contentType);
      const carrier = carrierNamed(app, provider);
      if (!carrier || !isProvider(provider)) return fail('not_found');
      if (!/^[\w-]{16,64}$/.test(secret)) return { status: 404, body: carrier.pushAnswer(false) };
      if (body === '' || body.includes('\u0000'))
        return { status: 400, body: carrier.pushAnswer(false) };
      const known = await store(provider, secret, body);
      return known
        ? { status: 200, body: carrier.pushAnswer(true) }
        : { status: 404, body: carrier.pushAnswer(false) };
    },
    away: ({ provider = '' }) => carrierNamed(app, provider)?.pushAnswer(false) ?? {},
  };
};
