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
        'every direct dependency has its reason on the page',
        'npm run sbom prints the production tree as CycloneDX, each component with its version',
        'every package comes from the registry and has a checksum',
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
        'an account that queries without end while another reads has one query at a time, a quarter of the time; the other never waits',
      ],
      'server/src/domain/workbook/read.test.ts': [
        'a malicious file exhausts memory or time of its own reader, not of the process',
      ],
      'server/src/features/people/ceilings.test.ts': [
        'unfinished bulk actions and exports are limited together; those of others and finished ones do not count',
      ],
    }),
    '15.2.3': held(
      'Production has nothing that is only for development',
      {
        'web/src/mocks/absent.test.ts': [
          'the mocks are imported by no file but the entry, and there only behind the flag',
        ],
        'server/src/hardening.test.ts': ['the pages of the API exist only where they are enabled'],
      },
      'The code of the demo and the simulator is installed, and runs where the demo is on alone.',
    ),
    '15.3.1': held('An answer has the declared fields alone', {
      'server/src/every-answer.test.ts': [
        'every answer omits the frozen price chain, carrier requests and secrets, under any key',
      ],
      'server/src/platform/http/answer-text.ts': [],
    }),
    '15.3.2': held('Calls follow no redirect', {
      [wire]: ['an outgoing call returns answers of any status and follows no redirect'],
    }),
    '15.3.3': held('Only declared fields are written', {
      'server/src/every-write.test.ts': [
        'a write with undeclared columns stores none of them anywhere in the database',
      ],
    }),
    '15.3.4': held('The address of a caller is the right one', {
      'server/src/features/people/login-browsers.test.ts': [
        'guessing under invented addresses counts for the address that the proxy saw',
      ],
      'server/src/platform/http/server.ts': [],
      'deploy/nginx.conf': [],
      'deploy/haproxy.cfg': [],
    }),
    '15.3.5': held('Values have their types, comparisons are strict', {
      'server/src/largest-inputs.test.ts': ['%s bounds every text, list and record in its schema'],
      'oxlint.config.mjs': [],
      'tsconfig.base.json': [],
    }),
    '15.3.6': held('Prototypes cannot be changed by input', {
      'server/src/api.test.ts': [
        'error %s comes in the envelope, with its status in body and header',
      ],
      'server/src/platform/http/form.test.ts': [],
      'server/src/platform/http/body.ts': [],
    }),
    '15.3.7': held('A parameter that comes twice or elsewhere changes nothing', {
      'server/src/hardening.test.ts': [
        'a call with a secret in its address is refused, and GET changes nothing',
      ],
      'server/src/platform/http/server.ts': [],
      'server/src/platform/http/form.ts': [],
    }),
  },
};
