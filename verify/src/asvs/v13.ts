import { held, notHeld } from './requirement.ts';
import type { Chapter } from './requirement.ts';

const anyPublicHost =
  'Calls go to any public host that the office names for a carrier or a user for a webhook; private addresses and plain HTTP are refused. A list of allowed hosts does not exist: a firewall can add one.';

export const v13: Chapter = {
  id: 'V13',
  name: 'Configuration',
  verdicts: {
    '13.1.1': held('Every connection is documented', { 'SECURITY.md': [] }),
    '13.2.1': notHeld(
      'Parts authenticate each other without lasting passwords',
      'low',
      'The database, SMTP and carriers are reached with passwords and keys that last until somebody changes them. The embedded PostgreSQL listens on a socket of its owner alone.',
    ),
    '13.2.2': held('Each part has the least rights', {
      'server/src/platform/db/db.test.ts': [
        'a transaction runs as a database role that can neither create tables nor switch off row-level security',
      ],
      'server/src/domain/ledger/guards.test.ts': [
        'the database lets only the ledger’s functions write money',
      ],
      'tools/house/deploy.test.mjs': [
        'the container image copies only existing folders and does not run as root; compose.yaml refers only to existing files',
      ],
    }),
    '13.2.3': held('No credential is a default', {
      'server/src/config.test.ts': [
        'the application role is named after its database; its password is derived from the secret key and is the same at every start',
        'the secret key is created once, in a file that only its owner can read, and is read from this file afterwards',
      ],
      'deploy/compose.yaml': [],
    }),
    '13.2.4': notHeld('Only listed hosts are called', 'low', anyPublicHost),
    '13.2.5': notHeld('The server is configured with a list of hosts', 'low', anyPublicHost),
    '13.3.1': notHeld(
      'Secrets are in a vault',
      'medium',
      'The secret key is in the environment or in a file of its owner alone, and encrypts carrier, webhook and two-factor secrets in the database; no vault is spoken to. No secret is in the code or the build.',
    ),
    '13.3.2': held('Secrets are readable for those who need them', {
      'server/src/config.test.ts': [
        'the secret key is created once, in a file that only its owner can read, and is read from this file afterwards',
      ],
      'server/src/hardening.test.ts': [
        'a push secret is stored encrypted and is shown only to office users, and each display is audited',
      ],
      'server/src/features/merchants/merchants.test.ts': [
        'a carrier account shows only the last four characters of its secrets; no response, audit entry or row contains them whole',
      ],
    }),
    '13.4.1': held('No history of the source is reachable', {
      'tools/house/deploy.test.mjs': [
        'the services and the container image have no access to the .git folder',
      ],
      'server/src/platform/http/web.test.ts': [
        'the built web does not serve the raw index.html, missing files, hidden files or files outside its folder',
      ],
    }),
    '13.4.2': held('Production has no debugging', {
      'server/src/hardening.test.ts': [
        'the pages of the API documentation exist only if they are enabled',
      ],
    }),
    '13.4.3': held('No folder is listed', {
      'server/src/response-headers.test.ts': [
        'every response has headers against framing, content sniffing, foreign content, referrers and access without TLS: %s',
      ],
    }),
    '13.4.4': held('TRACE is not supported', {
      'server/src/response-headers.test.ts': [
        'a TRACE request returns 404 and none of its own content',
      ],
    }),
    '13.4.5': held(
      'Documents and metrics are open on purpose alone',
      {
        'server/src/hardening.test.ts': [
          'the pages of the API documentation exist only if they are enabled',
        ],
        'docs/operating.md': [],
      },
      'The metrics are on loopback; `/healthz` and `/readyz` say nothing but whether the process is ready.',
    ),
  },
};
