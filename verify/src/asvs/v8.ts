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
        'the access table of the tests lists every route',
        '%s requires a login, unless it is public',
        'an API key with every scope gets 403 from each endpoint that no scope opens, whatever its role',
      ],
      'server/src/platform/http/authorise.ts': [],
    }),
    '8.2.2': held('A row is found within its scope alone', {
      'server/src/row-security-off.test.ts': [
        'with only the scope layer, events at one station do not change a single byte of the responses to another station',
      ],
      'server/src/scope-layer-off.test.ts': [
        'a query of the table %s without conditions returns only rows of the stations in scope',
        'a query can neither change another station’s rows, nor add or move rows to that station',
      ],
    }),
    '8.2.3': held('A field is read and written by its roles alone', {
      [everyAnswer]: [
        'only responses to office users contain the carrier’s cost',
        'only responses to office users contain the platform’s revenue, cost and margin',
        'only responses to the parcel’s own station contain whole phone numbers, except from the endpoints that reveal or parse them',
      ],
      'server/src/every-write.test.ts': [
        'a value that was sent in an undeclared column is stored in no table of the database',
      ],
    }),
    '8.3.1': held('The server decides', {
      'server/src/matrix.test.ts': [
        '%s requires a login, unless it is public',
        'the route %s answers the role %s with 403',
      ],
      'server/src/platform/http/authorise.ts': [],
      'server/src/platform/http/caller-rights.test.ts': [
        'after an admin account becomes a clerk’s account, its next call no longer returns the carrier cost',
      ],
    }),
    '8.4.1': held('No tenant reaches another', {
      'server/src/scope-layer-off.test.ts': [
        'with only row-level security, events at one station do not change the responses to another station',
        'a query without conditions returns no rows if the connection has no scope',
      ],
      'server/src/domain/ledger/guards.test.ts': [
        'a clerk’s transaction posts to wallets outside its scope, but can read no row of the money tables',
      ],
    }),
  },
};
