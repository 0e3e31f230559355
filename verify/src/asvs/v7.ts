import { held, notApplicable, notHeld } from './requirement.ts';
import type { Chapter } from './requirement.ts';

const noFederation = 'The product is in no federation of logins and has no single sign-on.';
const profile = 'server/src/features/people/profile.test.ts';
const logins = 'server/src/features/people/login.test.ts';
const accounts = 'server/src/features/people/account-changes.test.ts';

export const v7: Chapter = {
  id: 'V7',
  name: 'Session management',
  verdicts: {
    '7.1.1': held(
      'The life of a session is documented',
      { 'docs/operating.md': [] },
      'It ends after 30 minutes without use and after 12 hours, as NIST SP 800-63B has it for two factors.',
    ),
    '7.1.2': held('How many sessions an account has is documented', { 'docs/operating.md': [] }),
    '7.1.3': notApplicable('Systems of a federation are documented', noFederation),
    '7.2.1': held('The server judges a session at each call', {
      'server/src/platform/http/caller-rights.test.ts': [
        'a session that was idle for too long is refused at the next call',
      ],
      'server/src/matrix.test.ts': ['%s requires a login, unless it is public'],
      [logins]: ['a logout ends only its own session, in every process'],
    }),
    '7.2.2': held('A session has a token of its own', {
      [logins]: ['session tokens and passwords are stored only as hashes'],
      'server/src/platform/auth/sessions.ts': [],
    }),
    '7.2.3': held(
      'A token is random, of 128 bits at least',
      { 'server/src/platform/auth/actor.ts': [], 'server/src/platform/auth/sessions.ts': [] },
      'It has 256 random bits.',
    ),
    '7.2.4': notHeld(
      'Each login gives a new token and ends the one before',
      'low',
      'A login opens a new session, but an older one of the same browser lives until logout or its end; a changed password and a second factor keep the token of the session that made the change and end all others.',
    ),
    '7.3.1': held('A session ends without use', {
      [logins]: [
        'a session ends after 30 minutes without a call, and every call extends it',
        'automatic background calls of an open page do not extend a session',
      ],
    }),
    '7.3.2': held('A session ends after its longest life', {
      [logins]: ['a session ends after twelve hours, even if it is used all the time'],
    }),
    '7.4.1': held('An ended session opens nothing', {
      [logins]: ['a logout ends only its own session, in every process'],
      'server/src/features/events/events.test.ts': [
        'an event stream ends at logout, when the account is disabled and when the session is idle; an open stream does not extend the session',
      ],
    }),
    '7.4.2': held('A disabled account has no session', {
      [accounts]: [
        'a disabled account is logged out in every process, and its old sessions stay ended after it is enabled again',
      ],
    }),
    '7.4.3': held(
      'A changed password or factor ends the other sessions',
      {
        [profile]: [
          'a user can change the password by entering the current one; all other sessions of the user end',
          'two-factor authentication is switched off with password and code; new recovery codes replace the old ones',
        ],
        'server/src/features/people/two-factor.ts': [],
      },
      'It always does; nobody is asked.',
    ),
    '7.4.4': held('Every page has a logout', {
      'e2e/src/login.test.ts': [
        'the login page shows and hides the password, warns of caps lock, and remembers the username but never the password',
      ],
      'e2e/src/look.test.ts': [
        'every screen of ${role} in ${language}, ${look.theme}, ${look.width} px has no finding of axe, hides nothing and shows the account menu',
      ],
      'web/src/shell/session/session.test.ts': [
        'the end of a session deletes the token and the user info, runs every registered cleanup, and reloads the page',
      ],
    }),
    '7.4.5': held('Managers end the sessions of an account', {
      [accounts]: [
        'a manager can end all sessions of another account, and the manager’s own session continues',
      ],
    }),
    '7.5.1': held(
      'What a login depends on is changed with the password alone',
      {
        [profile]: [
          'a user can change the password by entering the current one; all other sessions of the user end',
          'two-factor authentication is switched off with password and code; new recovery codes replace the old ones',
        ],
        'server/src/features/people/api-key-trust.test.ts': [
          'an API key can be created only with the user’s password; wrong passwords are counted and limited, other mistakes are not',
        ],
      },
      'Phone and place of a profile are no way to log in or to recover.',
    ),
    '7.5.2': notHeld(
      'Users see their sessions and end them after a new proof',
      'low',
      'They see and end them one by one, but without entering the password again.',
    ),
    '7.6.1': notApplicable('Sessions of both sides of a federation end together', noFederation),
    '7.6.2': held('Only a user opens a session', {
      [logins]: ['users of every role can log in, with the username in upper or lower case'],
      'server/src/features/people/login.ts': [],
    }),
  },
};
