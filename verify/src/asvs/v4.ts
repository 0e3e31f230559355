import { held, notApplicable, notHeld } from './requirement.ts';
import type { Chapter } from './requirement.ts';

const noGraphql = 'The product has no GraphQL; lists take flat filters of a schema.';
const noSocketServer = 'The server accepts no WebSocket; live events are a response of text.';

export const v4: Chapter = {
  id: 'V4',
  name: 'API and web service',
  verdicts: {
    '4.1.1': held('Every body says its type and charset', {
      'server/src/response-headers.test.ts': [
        'every response has headers against framing, content sniffing, foreign content, referrers and access without TLS: %s',
      ],
      'server/src/platform/http/server.ts': [],
    }),
    '4.1.2': held('Only pages are led from HTTP to HTTPS', {
      'tools/house/deploy.test.mjs': [
        'the example proxies accept API calls only over TLS with forward secrecy, and log no query strings',
      ],
      'deploy/nginx.conf': [],
      'deploy/haproxy.cfg': [],
    }),
    '4.1.3': held('Headers of a proxy count from a proxy alone', {
      'server/src/features/people/login-browsers.test.ts': [
        'login attempts with invented forwarded IP addresses count for the IP address that connected to the proxy or the server',
      ],
      'server/src/hardening.test.ts': [
        'in production, only responses over TLS have the Strict-Transport-Security header',
      ],
      'docs/operating.md': [],
    }),
    '4.2.1': held('One request is never read as two', {
      'server/src/response-headers.test.ts': [
        'a request with two body lengths is refused, and the rest of its bytes is not read as a second request',
      ],
      'server/src/api.test.ts': [
        'bytes that are not HTTP are answered with 400, and the server continues to work',
      ],
    }),
    '4.3.1': notApplicable('Queries of GraphQL are limited', noGraphql),
    '4.3.2': notApplicable('GraphQL tells nothing about itself', noGraphql),
    '4.4.1': notHeld(
      'Every WebSocket is encrypted',
      'low',
      'The carrier’s print component on the workstation offers ws://localhost:9113 alone; labels go there unencrypted on loopback. The server itself has no WebSocket.',
    ),
    '4.4.2': notApplicable('The origin of a WebSocket is checked', noSocketServer),
    '4.4.3': notApplicable('Tokens of WebSockets keep the rules of sessions', noSocketServer),
    '4.4.4': notApplicable('A WebSocket’s token comes from a session', noSocketServer),
  },
};
