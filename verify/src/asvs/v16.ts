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
      [everyWrite]: [
        '%s succeeds despite undeclared columns in its body, and its audit rows have the request id and the user',
      ],
      [audit]: [
        'the audit log shows who changed which record, with the action, the reason, and the old and new values',
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
        'a response has the server’s request id; the id that the client sent is only in a separate field of the log',
      ],
      'docs/operating.md': [],
    }),
    '16.2.5': held('Logs hold no secrets and no persons', {
      [logs]: [
        'a log line shows no secret, not even a secret in a nested object',
        'phone numbers in all usual formats are removed from a logged text, but order and waybill numbers are kept',
      ],
      'server/src/every-answer.test.ts': [
        'no log line contains a secret',
        'no log line contains a recipient’s name, phone or postal address, even after a failed database statement',
      ],
    }),
    '16.3.1': notHeld(
      'Every login is logged, refused ones too',
      'low',
      'Logins, refused logins, logouts and refused calls of known keys are in the audit log. A wrong password or code of somebody who is logged in is a line of the request log (422, with the account) and no entry; a key that never existed is counted and limited, without the address in a log; a login does not say which factor was used, except a recovery code.',
    ),
    '16.3.2': held('Refused rights are logged', {
      'server/src/features/people/login-browsers.test.ts': [
        'the audit log has one row of refused calls per action, IP address, account and minute, however many calls were refused',
        'the number of rows for refused calls is limited per minute; calls from further IP addresses share one row',
      ],
      'server/src/features/people/api-key-traces.test.ts': [
        'a refused call with an API key is recorded with this key, separately from the refused calls of the key’s account',
      ],
    }),
    '16.3.3': held(
      'Attempts to get around a control are logged',
      {
        'server/src/hardening.test.ts': [
          'a response has the server’s request id; the id that the client sent is only in a separate field of the log',
        ],
        'server/src/features/people/login-browsers.test.ts': [
          'the audit log has one row of refused calls per action, IP address, account and minute, however many calls were refused',
        ],
      },
      'Refused logins and rights are in the audit log; inputs that no screen sends (422) and exceeded limits (429) are lines of the request log with account, path and status.',
    ),
    '16.3.4': held('Unexpected errors are logged', {
      'server/src/platform/http/internal-error.test.ts': [
        'an unexpected error returns only a general error with the request id, and the log has an entry with this id: %s',
      ],
      'server/src/platform/jobs/jobs.test.ts': [
        'the log line of a failed job has the error’s code and message, but no values from the database row',
      ],
      'server/src/features/merchants/merchants.test.ts': [
        'the connection test of a carrier account reports a wrong secret, a wrong token and a URL that may not be called',
      ],
    }),
    '16.4.1': held(
      'Nobody writes lines of their own into a log',
      {
        'server/src/hardening.test.ts': [
          'a response has the server’s request id; the id that the client sent is only in a separate field of the log',
        ],
        'server/src/platform/log.ts': [],
      },
      'Lines are JSON; every text is escaped.',
    ),
    '16.4.2': held(
      'Logs cannot be changed',
      {
        'server/src/platform/db/db.test.ts': [
          'the server’s database role cannot change, delete or truncate entries of the audit log',
        ],
        'server/src/retention.test.ts': [
          'audit log entries older than the setting are removed and each removal is audited; entries of the last year are always kept',
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
        'an unexpected error returns only a general error with the request id, and the log has an entry with this id: %s',
      ],
      'server/src/fuzz.test.ts': [
        'random requests to every endpoint are answered with the JSON envelope and never with a server error',
      ],
    }),
    '16.5.2': held('The product works on while others are away', {
      'server/src/api.test.ts': [
        'while the database is unreachable, routes that need it return 503 with Retry-After and never 401; they work again afterwards',
      ],
      'server/src/domain/carrier-accounts/outage.test.ts': [
        'an outage ends after two other parcels are ordered, even if the two parcels that caused it still fail',
      ],
    }),
    '16.5.3': held('An error never lets something pass', {
      'server/src/platform/db/db.test.ts': [
        'a transaction rolls back when its function throws an error, and the connection can still be used',
      ],
      'server/src/domain/ledger/guards.test.ts': [
        'a station that failed the ledger check is blocked until an administrator unblocks it; other stations are not blocked',
      ],
      'server/src/platform/http/authorise.ts': [],
    }),
  },
};
