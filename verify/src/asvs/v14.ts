import { held, notHeld } from './requirement.ts';
import type { Chapter } from './requirement.ts';

const everyAnswer = 'server/src/every-answer.test.ts';

export const v14: Chapter = {
  id: 'V14',
  name: 'Data protection',
  verdicts: {
    '14.1.1': held('Data is classified', { 'SECURITY.md': [] }),
    '14.1.2': held('Each class has its rules', {
      'SECURITY.md': [],
      'server/sql/retention.sql': [],
    }),
    '14.2.1': notHeld(
      'Nothing sensitive is in an address',
      'medium',
      'Lists are read by GET: a search by phone or name is in the query, and a carrier’s push has its secret in the path, as carriers take addresses alone. Secrets in a query are refused; our logs and those of the example proxies leave queries and the paths of pushes out.',
    ),
    '14.2.2': held('No part of the server keeps what is sensitive', {
      'server/src/hardening.test.ts': ['no response of the API may be cached, whatever its status'],
      'server/src/features/events/events.test.ts': [
        'an event stream is not compressed, and its headers forbid proxies to store or buffer it',
      ],
    }),
    '14.2.3': held(
      'Nothing goes to trackers',
      {
        'server/src/platform/http/web.ts': [],
        'server/src/api.test.ts': ['the API reference at /docs loads nothing from another host'],
      },
      'The page may speak with its own origin and the print component alone. Notices go to the robots that a person chose, without recipient, phone and amount of another station.',
    ),
    '14.2.4': held('The rules of each class are kept', {
      [everyAnswer]: [
        'no response contains a secret',
        'no log line contains a secret',
        'no log line contains a recipient’s name, phone or postal address, even after a failed database statement',
      ],
      'server/src/retention.test.ts': [
        'the database comment of every table names the task that removes its old rows, or explains why the table stays small or is kept',
      ],
    }),
    '14.3.1': held(
      'A logout clears the browser',
      {
        'web/src/shell/session/session.test.ts': [
          'the end of a session deletes the token and the user info, runs every registered cleanup, and reloads the page',
        ],
        'web/src/parcels/orders/entries.test.ts': [
          'only the user who entered an order can read it while it is stored unsent in the browser; another user cannot',
        ],
      },
      'Unsent orders and drafts stay, encrypted under a key that comes with the login.',
    ),
    '14.3.2': held('Browsers store no answer', {
      'server/src/hardening.test.ts': ['no response of the API may be cached, whatever its status'],
    }),
    '14.3.3': notHeld(
      'Nothing sensitive is in the browser’s storage',
      'low',
      'Drafts and waiting orders are encrypted there. Open tabs are in `sessionStorage` with their filters until logout or the end of the tab, and a filter may be a phone or a name.',
    ),
  },
};
