import { held, notApplicable, notHeld } from './requirement.ts';
import type { Chapter } from './requirement.ts';

const proxies = 'tools/house/deploy.test.mjs';
const byProxies =
  'the example proxies accept API calls only over TLS with forward secrecy, and log no query strings';

export const v12: Chapter = {
  id: 'V12',
  name: 'Secure communication',
  verdicts: {
    '12.1.1': held(
      'TLS 1.2 and 1.3 alone',
      { [proxies]: [byProxies], 'deploy/nginx.conf': [], 'deploy/haproxy.cfg': [] },
      'TLS ends at the operator’s proxy; these are its examples.',
    ),
    '12.1.2': held('Strong cipher suites alone', {
      [proxies]: [byProxies],
      'deploy/nginx.conf': [],
    }),
    '12.1.3': notApplicable(
      'Certificates of clients are trusted before they count',
      'No client has a certificate.',
    ),
    '12.2.1': notHeld(
      'Clients come by TLS alone',
      'medium',
      'The server itself speaks plain HTTP, by default on all interfaces outside of the demo, and starts without a proxy in front. The services and the compose file of `deploy/` put TLS before it; `doctor` says where it is missing; nothing refuses a start without.',
    ),
    '12.2.2': notApplicable(
      'Certificates are publicly trusted',
      'The product has no certificate; the operator’s proxy has one.',
    ),
    '12.3.1': notHeld(
      'Every connection is encrypted',
      'medium',
      'Carriers, webhooks and, by default, mail go by TLS. The connections to PostgreSQL are as `DATABASE_URL` says, also without TLS; between proxy and server, and for metrics on loopback, there is none.',
    ),
    '12.3.2': held(
      'Certificates of others are checked',
      {
        'server/src/domain/carriers/wire.ts': [],
        'server/src/platform/mail/mail.ts': [],
      },
      'Node checks them; no code switches it off.',
    ),
    '12.3.3': notHeld(
      'HTTP between own services is encrypted',
      'low',
      'Proxy and server speak plain HTTP, in the examples on loopback or the network of one machine.',
    ),
    '12.3.4': notHeld(
      'Own services trust certain certificates',
      'low',
      'There is no TLS between them (12.3.3).',
    ),
  },
};
