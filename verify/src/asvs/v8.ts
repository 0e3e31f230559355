import { held } from './requirement.ts';
import type { Chapter } from './requirement.ts';

const everyAnswer = 'server/src/every-answer.test.ts';

export const v8: Chapter = {
  id: 'V8',
  name: 'Authorization',
  verdicts: {
    '8.1.1': held('Who may call what, and on which rows, is documented', {
      'docs/requirements.md': [],
      'docs/decisions/0003-scope-twice.md': [],
    }),
    '8.1.2': held('Which fields a role reads and writes is documented', {
      'docs/requirements.md': [],
      'SECURITY.md': [],
    }),
    '8.2.1': held('An endpoint is open to its roles alone', {
      'server/src/matrix.test.ts': [
        'every route has a row in the access table',
        '%s requires a login, unless it is public',
        'a key with every scope gets 403 from each endpoint that names none, whatever its role',
      ],
      'server/src/platform/http/authorise.ts': [],
    }),
    '8.2.2': held('A row is found within its scope alone', {
      'server/src/row-security-off.test.ts': [
        'the scope layer alone leaves the responses to one station the same byte for byte, whatever happens at another station',
      ],
      'server/src/scope-layer-off.test.ts': [
        'a query of all %s returns the rows of the stations in scope',
        'a row of another station can be neither changed nor added, whatever the query',
      ],
    }),
    '8.2.3': held('A field is read and written by its roles alone', {
      [everyAnswer]: [
        'every answer names the carrier’s cost to the office alone',
        'every answer shows the platform’s earnings and payments to the office alone',
        'every answer shows whole phone numbers of a parcel to its own station alone',
      ],
      'server/src/every-write.test.ts': [
        'a write with undeclared columns stores none of them anywhere in the database',
      ],
    }),
    '8.3.1': held('The server decides', {
      'server/src/platform/http/authorise.ts': [],
      'server/src/platform/http/caller-rights.test.ts': [
        'an office account that becomes a clerk’s sees no cost and no other station’s parcels at the next call',
      ],
    }),
    '8.4.1': held('No tenant reaches another', {
      'server/src/scope-layer-off.test.ts': [
        'row-level security alone leaves the responses to one station unchanged, whatever happens at another station',
        'a query without conditions returns nothing if no scope was set',
      ],
      'server/src/domain/ledger/guards.test.ts': [
        'a clerk’s transaction posts on wallets outside its scope, and reads no money row of them before or after',
      ],
    }),
  },
};
