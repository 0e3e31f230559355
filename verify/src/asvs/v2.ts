import { held, notHeld } from './requirement.ts';
import type { Chapter } from './requirement.ts';

export const v2: Chapter = {
  id: 'V2',
  name: 'Validation and business logic',
  verdicts: {
    '2.1.1': held('The form of each field is documented', {
      'docs/requirements.md': [],
      'contract/src/base/fields.schema.ts': [],
      'server/src/api.test.ts': ['the documents name every route with its roles'],
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
      'server/src/largest-inputs.test.ts': ['%s bounds every text, list and record in its schema'],
      'server/src/api.test.ts': [
        'an order with several bad fields returns every bad field at once, by its own name',
      ],
      'server/src/fuzz.test.ts': [
        'every request to any endpoint is answered in the envelope and never with a server error',
      ],
    }),
    '2.2.2': held('The server checks, whatever the browser did', {
      'server/src/platform/http/validate.ts': [],
      'server/src/every-write.test.ts': [
        'a write with undeclared columns stores none of them anywhere in the database',
      ],
    }),
    '2.2.3': held('Fields that belong together must fit each other', {
      'server/src/domain/express/ordering.test.ts': [
        'an order with some of the three sizes is refused at each missing one',
      ],
      'server/src/features/people/accounts.test.ts': [
        'a new account has a role below its creator’s, and the station that belongs to it',
      ],
      'server/src/domain/imports/places.test.ts': [],
    }),
    '2.3.1': held('Steps are taken in their order', {
      'server/src/domain/express/move-proof.test.ts': [
        'the proof of moves accepts the same moves as the product',
      ],
      'server/src/features/people/profile.test.ts': [
        'two-factor authentication is on once a code of the app was entered, which also returns the recovery codes',
      ],
      'server/sql/legal-moves.sql': [],
    }),
    '2.3.2': held('The documented limits are kept', {
      'server/src/features/people/ceilings.test.ts': [
        'new accounts are limited per day, over the manager and every account created under it; a day later more are allowed',
        'accounts created at the same moment do not exceed the limit',
      ],
      'server/src/features/money/limits.test.ts': [],
      'server/src/features/stations/limits.test.ts': [],
    }),
    '2.3.3': held('An operation happens whole or not at all', {
      'server/src/platform/db/db.test.ts': [
        'a transaction bound to a scope rolls back when its work throws, and the connection remains usable',
      ],
      'server/src/domain/express/crash.test.ts': [],
      'verify/src/kills/kills.test.ts': [],
    }),
    '2.3.4': held('Nothing limited is given twice', {
      'server/src/domain/ledger/concurrency.test.ts': [
        'concurrent transactions hold exactly the balance of one wallet, a hundred of them without a deadlock',
      ],
      'server/src/features/people/undo.test.ts': [
        'of two simultaneous undos one succeeds, and the other names the user who was faster',
      ],
    }),
    '2.4.1': notHeld(
      'Excessive calls are limited everywhere',
      'low',
      'Logins, API keys, lists, exports, searches by phone, imports, webhooks and streams are limited; ordinary calls of a logged-in session, such as one record after another within its rights, have no limit of their rate.',
    ),
  },
};
