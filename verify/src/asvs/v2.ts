import { held, notHeld } from './requirement.ts';
import type { Chapter } from './requirement.ts';

export const v2: Chapter = {
  id: 'V2',
  name: 'Validation and business logic',
  verdicts: {
    '2.1.1': held('The form of each field is documented', {
      'docs/requirements.md': [],
      'contract/src/base/fields.schema.ts': [],
      'server/src/api.test.ts': [
        'the OpenAPI description lists every route with the roles that may call it',
      ],
    }),
    '2.1.2': held('Rules between fields are documented', {
      'docs/requirements.md': [],
      'docs/pricing.md': [],
    }),
    '2.1.3': held('Limits of business are documented, by account and in all', {
      'docs/operating.md': [],
      'docs/ledger.md': [],
    }),
    '2.2.1': held('Every input is checked against what is expected', {
      'server/src/largest-inputs.test.ts': [
        '%s limits the size of every text, list and record in its input schema',
      ],
      'server/src/api.test.ts': [
        'an order with several invalid fields is refused with one error for each of these fields',
      ],
      'server/src/fuzz.test.ts': [
        'random requests to every endpoint are answered with the JSON envelope and never with a server error',
      ],
    }),
    '2.2.2': held('The server checks, whatever the browser did', {
      'server/src/platform/http/validate.ts': [],
      'server/src/every-write.test.ts': [
        'a value that was sent in an undeclared column is stored in no table of the database',
      ],
    }),
    '2.2.3': held('Fields that belong together must fit each other', {
      'server/src/domain/express/ordering.test.ts': [
        'an order with only one or two of length, width and height is refused with an error at each missing size',
      ],
      'server/src/features/people/accounts.test.ts': [
        'a new account must have a role below its creator’s; a station in the creator’s network is required for some roles and refused for others',
      ],
      'server/src/domain/imports/places.test.ts': [],
    }),
    '2.3.1': held('Steps are taken in their order', {
      'server/src/domain/express/move-proof.test.ts': [
        'the database function for legal state changes of a parcel returns the same changes as the server’s code',
      ],
      'server/src/features/people/profile.test.ts': [
        'two-factor authentication is on only after a valid code of the app is entered; the response then contains the recovery codes',
      ],
      'server/sql/legal-moves.sql': [],
    }),
    '2.3.2': held('The documented limits are kept', {
      'server/src/features/people/ceilings.test.ts': [
        'accounts that a manager creates and accounts that the manager’s subordinates create count toward the same daily limit',
        'accounts created at the same moment do not exceed the daily limit',
      ],
      'server/src/features/money/limits.test.ts': [],
      'server/src/features/stations/limits.test.ts': [],
    }),
    '2.3.3': held('An operation happens whole or not at all', {
      'server/src/platform/db/db.test.ts': [
        'a transaction rolls back when its function throws an error, and the connection can still be used',
      ],
      'server/src/domain/express/crash.test.ts': [],
      'verify/src/kills/kills.test.ts': [],
    }),
    '2.3.4': held('Nothing limited is given twice', {
      'server/src/domain/ledger/concurrency.test.ts': [
        'a hundred simultaneous holds on one wallet cause no deadlock, and exactly as many succeed as the balance covers',
      ],
      'server/src/features/people/undo.test.ts': [
        'only one of two simultaneous undos succeeds; the other returns 409 because the action is undone already',
      ],
    }),
    '2.4.1': notHeld(
      'Excessive calls are limited everywhere',
      'low',
      'Logins, API keys, lists, exports, searches by phone, imports, webhooks and streams are limited; ordinary calls of a logged-in session, such as one record after another within its rights, have no limit of their rate.',
    ),
  },
};
