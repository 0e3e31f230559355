import { held, notHeld } from './requirement.ts';
import type { Chapter } from './requirement.ts';

const dependencies = 'tools/house/dependencies.test.mjs';
const wire = 'server/src/domain/carriers/wire.test.ts';

export const v15: Chapter = {
  id: 'V15',
  name: 'Secure coding and architecture',
  verdicts: {
    '15.1.1': held('Times for updates of libraries are documented', { 'SECURITY.md': [] }),
    '15.1.2': held('Libraries are listed, from trusted places', {
      [dependencies]: [
        'docs/dependencies.md mentions every direct dependency',
        'npm run sbom lists the production dependencies in CycloneDX format, each with its version',
        'every installed package comes from the default registry and has a checksum',
      ],
      'docs/dependencies.md': [],
    }),
    '15.1.3': held('What is heavy is documented with its bounds', {
      'docs/performance.md': [],
      'docs/operating.md': [],
      'docs/decisions/0014-bounded-lists.md': [],
    }),
    '15.2.1': notHeld(
      'No library is older than promised',
      'medium',
      'The times of 15.1.1 are a promise of the maintainers; no check asks a list of vulnerabilities.',
    ),
    '15.2.2': held('What is heavy takes nobody’s time', {
      'server/src/platform/list-slots.test.ts': [
        'an account that reads lists all the time gets about a quarter of the time while another account reads, and the other never waits',
      ],
      'server/src/domain/workbook/read.test.ts': [
        'a file that exhausts memory or CPU time ends only the thread that reads it, not the process',
      ],
      'server/src/features/people/ceilings.test.ts': [
        'the unfinished bulk actions and exports of one user count toward one limit; finished jobs and jobs of other users do not count',
      ],
    }),
    '15.2.3': held(
      'Production has nothing that is only for development',
      {
        'web/src/mocks/absent.test.ts': [
          'only start/main.ts imports the mocks, and only if VITE_DEBUG_MOCKS is set',
        ],
        'server/src/hardening.test.ts': [
          'the pages of the API documentation exist only if they are enabled',
        ],
      },
      'The code of the demo and the simulator is installed, and runs where the demo is on alone.',
    ),
    '15.3.1': held('An answer has the declared fields alone', {
      'server/src/every-answer.test.ts': [
        'no response contains stored pricing terms, carrier requests or secrets, except for a newly generated password',
      ],
      'server/src/platform/http/answer-text.ts': [],
    }),
    '15.3.2': held('Calls follow no redirect', {
      [wire]: ['an outgoing call returns a redirect as the answer and does not follow it'],
      'server/src/domain/webhooks/deliveries.test.ts': [
        'a webhook delivery with an unusable answer is tried again: %s',
      ],
    }),
    '15.3.3': held('Only declared fields are written', {
      'server/src/every-write.test.ts': [
        'a value that was sent in an undeclared column is stored in no table of the database',
      ],
    }),
    '15.3.4': held('The address of a caller is the right one', {
      'server/src/features/people/login-browsers.test.ts': [
        'login attempts with invented forwarded IP addresses count for the IP address that connected to the proxy or the server',
      ],
      'server/src/platform/http/server.ts': [],
      'deploy/nginx.conf': [],
      'deploy/haproxy.cfg': [],
    }),
    '15.3.5': held('Values have their types, comparisons are strict', {
      'server/src/largest-inputs.test.ts': [
        '%s limits the size of every text, list and record in its input schema',
      ],
      'oxlint.config.mjs': [],
      'tsconfig.base.json': [],
    }),
    '15.3.6': held('Prototypes cannot be changed by input', {
      'server/src/api.test.ts': [
        'the error %s is answered with the JSON envelope, which repeats the HTTP status and the request id of the header',
      ],
      'server/src/platform/http/form.test.ts': [],
      'server/src/platform/http/body.ts': [],
    }),
    '15.3.7': held('A parameter that comes twice or elsewhere changes nothing', {
      'server/src/hardening.test.ts': [
        'a call with a secret in its query is refused, and a POST request reads no field from its query',
        'a GET request whose query contains a parameter twice is refused with the name of the parameter',
      ],
      'server/src/platform/http/form.test.ts': ['a form with %s returns 400'],
      'server/src/platform/http/server.ts': [],
      'server/src/platform/http/form.ts': [],
    }),
  },
};
