import { held, notHeld } from './requirement.ts';
import type { Chapter } from './requirement.ts';

const logs = 'server/src/platform/log.test.ts';
const audit = 'server/src/features/people/audit.test.ts';
const everyWrite = 'server/src/every-write.test.ts';

export const v16: Chapter = {
  id: 'V16',
  name: 'Security logging and error handling',
  verdicts: {
    '16.1.1': held('Logs are listed', { 'SECURITY.md': [], 'docs/operating.md': [] }),
    '16.2.1': held('An entry says when, where, who and what', {
      [everyWrite]: ['%s does its work, and its audit row names the request'],
      [audit]: [
        'the audit log shows the office user, action, record, old and new value, newest first',
      ],
    }),
    '16.2.2': held('Times are UTC by one clock', {
      'server/src/platform/log.ts': [],
      'server/src/commands/doctor.ts': [],
    }),
    '16.2.3': held('Logs go to the listed places alone', {
      'SECURITY.md': [],
      'server/src/platform/log.ts': [],
    }),
    '16.2.4': held('Logs are read by programs', {
      'server/src/hardening.test.ts': [
        'an answer of the API has the server’s request number; the client’s number is in a separate field of the log only',
      ],
      'docs/operating.md': [],
    }),
    '16.2.5': held('Logs hold no secrets and no persons', {
      [logs]: [
        'a log line shows no secret, not even within its parts',
        'a phone is left out of a text in every form that people write it in, and an identifier is not',
      ],
      'server/src/every-answer.test.ts': [
        'a secret is in no line of the log',
        'no line of the log has a name, a phone or an address of a recipient, whatever the call and its failure',
      ],
    }),
    '16.3.1': notHeld(
      'Every login is logged, refused ones too',
      'low',
      'Logins, refused logins, logouts and refused calls of known keys are in the audit log. A wrong password or code of somebody who is logged in is a line of the request log (422, with the account) and no entry; a key that never existed is counted and limited, without the address in a log; a login does not say which factor was used, except a recovery code.',
    ),
    '16.3.2': held('Refused rights are logged', {
      'server/src/features/people/login-browsers.test.ts': [
        'refused calls are in the audit log, one row per address, account and minute, whatever their number',
        'refused calls add a limited number of rows a minute, and one more for all further addresses',
      ],
      'server/src/features/people/api-key-traces.test.ts': [
        'a refused call of a key is noted with the key, apart from those of its account',
      ],
    }),
    '16.3.3': held(
      'Attempts to get around a control are logged',
      {
        'server/src/hardening.test.ts': [
          'an answer of the API has the server’s request number; the client’s number is in a separate field of the log only',
        ],
        'server/src/features/people/login-browsers.test.ts': [
          'refused calls are in the audit log, one row per address, account and minute, whatever their number',
        ],
      },
      'Refused logins and rights are in the audit log; inputs that no screen sends (422) and exceeded limits (429) are lines of the request log with account, path and status.',
    ),
    '16.3.4': held('Unexpected errors are logged', {
      'server/src/platform/http/internal-error.test.ts': [
        'an unexpected failure says only that it happened, and the log has the rest: %s',
      ],
      'server/src/platform/jobs/jobs.test.ts': [
        'a job that fails is a line of the log with the code and message of its error, without the row',
      ],
      'server/src/features/merchants/merchants.test.ts': [
        'the test of a connection names the failure: a wrong secret, a wrong token, an unreachable carrier',
      ],
    }),
    '16.4.1': held(
      'Nobody writes lines of their own into a log',
      {
        'server/src/hardening.test.ts': [
          'an answer of the API has the server’s request number; the client’s number is in a separate field of the log only',
        ],
        'server/src/platform/log.ts': [],
      },
      'Lines are JSON; every text is escaped.',
    ),
    '16.4.2': held(
      'Logs cannot be changed',
      {
        'server/src/platform/db/db.test.ts': [
          'a transaction cannot change or delete append-only rows',
        ],
        'server/src/retention.test.ts': [
          'entries of the audit log older than the setting are removed, with an entry about it; the database keeps a year of them',
        ],
        'server/sql/append-only.sql': [],
      },
      'The owner of the database can. Heads of the ledger are written outside of it.',
    ),
    '16.4.3': notHeld(
      'Logs are sent to another system',
      'medium',
      'Lines of the processes are shipped by the operator, with an example for Vector. The audit log stays in the product’s database; only its backup is elsewhere.',
    ),
    '16.5.1': held('An error shows nothing of the inside', {
      'server/src/platform/http/internal-error.test.ts': [
        'an unexpected failure says only that it happened, and the log has the rest: %s',
      ],
      'server/src/fuzz.test.ts': [
        'every request to any endpoint is answered in the envelope and never with a server error',
      ],
    }),
    '16.5.2': held('The product works on while others are away', {
      'server/src/api.test.ts': [
        'every route that needs the database returns 503 with Retry-After, never 401, and works again once the database is back',
      ],
      'server/src/domain/carrier-accounts/outage.test.ts': [
        'an outage ends once two later parcels are ordered, even if its own two never get through',
      ],
    }),
    '16.5.3': held('An error never lets something pass', {
      'server/src/platform/db/db.test.ts': [
        'a transaction bound to a scope rolls back when its work throws, and the connection remains usable',
      ],
      'server/src/domain/ledger/guards.test.ts': [
        'a station whose proof failed is blocked until an administrator unblocks it, other stations are not',
      ],
      'server/src/platform/http/authorise.ts': [],
    }),
  },
};
