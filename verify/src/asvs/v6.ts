import { held, notApplicable, notHeld } from './requirement.ts';
import type { Chapter } from './requirement.ts';

const noProvider = 'The product takes no identity of another provider.';
const noCodeSent =
  'No code of a login is sent by phone, mail or another channel; one confirms the address of a notification channel alone.';
const profile = 'server/src/features/people/profile.test.ts';
const logins = 'server/src/features/people/login.test.ts';
const passwords = 'contract/src/people/password.test.ts';

export const v6: Chapter = {
  id: 'V6',
  name: 'Authentication',
  verdicts: {
    '6.1.1': held('Limits of guessing, and how nobody is locked out by others, are documented', {
      'docs/operating.md': [],
      'docs/decisions/0018-known-browsers-and-refused-calls.md': [],
    }),
    '6.1.2': held('Words of the product that are no passwords are listed', {
      'contract/src/people/common-passwords.ts': [],
      'docs/operating.md': [],
    }),
    '6.1.3': held('Every way in is documented with its strength', {
      'SECURITY.md': [],
      'docs/api.md': [],
      'docs/decisions/0148-a-key-is-a-narrower-caller.md': [],
    }),
    '6.2.1': held('A password has at least 8 characters', {
      [passwords]: [
        'a password must have 10 to 256 characters, and a Chinese character or an emoji counts as one',
      ],
    }),
    '6.2.2': held('Users change their password', {
      [profile]: [
        'a user can change the password by entering the current one; all other sessions of the user end',
      ],
    }),
    '6.2.3': held('A change takes the present and the new password', {
      [profile]: [
        'an invalid password change is refused with an error at the wrong field: %j',
        'a password change is refused if the new password equals the old one',
      ],
    }),
    '6.2.4': notHeld(
      'The 3,000 most common passwords are refused',
      'low',
      'About 1,500 words, with up to six digits or signs at each end, rows of keys and repeats by rule are refused; the list is not one of the 3,000 most used passwords of ten characters or more.',
    ),
    '6.2.5': held('A password may be made of anything', {
      [passwords]: [
        'a password of ten characters or more needs no particular kinds of characters: %s',
      ],
    }),
    '6.2.6': held('A typed password is hidden and may be shown', {
      'e2e/src/login.test.ts': [
        'the login page shows and hides the password, warns of caps lock, and remembers the username but never the password',
      ],
      'web/src/ui/fields/password-field.tsx': [],
    }),
    '6.2.7': held(
      'Pasting and password managers work',
      { 'web/src/ui/fields/password-field.tsx': [] },
      'Fields name themselves by `autocomplete`; no handler stops pasting.',
    ),
    '6.2.8': notHeld(
      'A password is compared exactly as it came',
      'low',
      'It is normalized to NFKC before it is hashed, as NIST SP 800-63B advises, so that keyboards of different systems type the same; nothing is cut, and case counts.',
    ),
    '6.2.9': held('A password may have 64 characters and more', {
      [passwords]: [
        'a password must have 10 to 256 characters, and a Chinese character or an emoji counts as one',
      ],
    }),
    '6.2.10': held(
      'No password expires by time',
      { 'server/src/features/people/profile.ts': [], 'docs/operating.md': [] },
      'Only one that somebody else set must be changed, at the first login.',
    ),
    '6.2.11': held('The listed words are refused', {
      [passwords]: [
        'a password made of a word of the product, the parcel trade or a carrier is refused: %s',
        'a password that is the station’s name, even with digits or signs around it, is refused: %s',
        'a password that is the username, in any case and even with digits or signs after it, is refused: %s',
      ],
    }),
    '6.2.12': notHeld(
      'Passwords of breaches are refused',
      'medium',
      'No list of breached passwords is shipped, and none is asked over the network; only common ones are refused (6.2.4).',
    ),
    '6.3.1': held('Guessing is limited as documented', {
      [logins]: [
        'logins to an account are refused for 15 minutes after five wrong attempts, across all processes and IP addresses',
        'logins from an IP address are refused after ten wrong attempts, whatever usernames were tried',
        'only five of twenty simultaneous login attempts are checked; the others return 429',
      ],
      'server/src/features/people/login-browsers.test.ts': [
        'while unknown browsers are locked out, a browser that logged in before can log in, and has its own limit of five wrong attempts',
      ],
    }),
    '6.3.2': held(
      'There is no account from the start',
      {
        'server/src/commands/admin.test.ts': [
          'the admin command creates a super admin only with a valid unused username and a valid password',
        ],
        'docs/operating.md': [],
      },
      'The demo has five accounts, on an empty database and by default on loopback alone; a real installation has none.',
    ),
    '6.3.3': held(
      'A second factor is needed to enter',
      {
        'server/src/features/people/second-factor-duty.test.ts': [
          'a user who must have two-factor authentication logs in with the password, sets it up, and continues in the same session',
          'a user who must first set a new %s gets 403 from every endpoint except those needed to set it',
        ],
        'server/src/commands/doctor.test.ts': [
          'the doctor command warns if the server uses plain HTTP, or if super admins or admins have no two-factor authentication',
        ],
      },
      'A setting requires it of the office or of everybody; an account without one can then do nothing but set it up. By default it is each person’s choice: the requirement is held once the setting is chosen, and until then `doctor` warns. The first login sets the factor up with the password alone.',
    ),
    '6.3.4': held('Every way in is documented and equally strong', {
      'server/src/matrix.test.ts': [
        '%s requires a login, unless it is public',
        'API keys can read, order, cancel, get labels and resend webhooks, and cannot change anything else',
      ],
      'server/src/features/people/api-key-trust.test.ts': [
        'an API key can be created only with an unused two-factor code if the user has two-factor authentication',
      ],
      'SECURITY.md': [],
    }),
    '6.4.1': held('A first password, or the link that sets it, is random and works once', {
      'server/src/features/people/accounts.test.ts': [
        'a new account has every submitted field, and a generated password that is shown once and must be changed',
      ],
      'server/src/features/people/account-changes.test.ts': [
        'a new password set by a manager ends all sessions of the account, and the user must change it after login',
      ],
      'server/src/features/people/invitations.test.ts': [
        'an invitation link works once: one of two simultaneous calls succeeds, and a repeated call is refused',
        'an invitation link is refused 72 hours after its creation, and its account then shows the invitation as ended',
      ],
      [profile]: ['a password change is refused if the new password equals the old one'],
      'server/src/platform/auth/password.ts': [],
    }),
    '6.4.2': held(
      'No hints and no secret questions',
      { 'contract/src/people/session.ts': [], 'contract/src/people/profile.ts': [] },
      'No endpoint has one.',
    ),
    '6.4.3': held(
      'A forgotten password is reset without going round the second factor',
      {
        'server/src/features/people/account-changes.test.ts': [
          'a new password set by a manager ends all sessions of the account, and the user must change it after login',
        ],
        'server/src/features/people/accounts.ts': [],
        'server/src/features/people/password-resets.test.ts': [
          'two-factor authentication stays on after a password reset',
        ],
      },
      'A mailed link or a manager resets it; the second factor stays. Only the command line of the operator turns it off as well.',
    ),
    '6.4.4': notHeld(
      'A lost second factor takes the proof of identity of its set-up',
      'low',
      'A manager removes it and decides alone who asks; the product asks for no proof of identity and has no words about one. It ends the sessions and is audited.',
    ),
    '6.5.1': held('A code works once', {
      [profile]: [
        'a two-factor code is requested only after the right password, and each code is accepted only once across all processes',
        'a recovery code is accepted only once, in upper or lower case and with hyphens or spaces',
      ],
      'server/src/platform/auth/totp.test.ts': [
        'after a code of an authenticator app was accepted, the same code and earlier codes are refused',
      ],
    }),
    '6.5.2': notHeld(
      'Short recovery codes are stored like passwords',
      'low',
      'A code of 60 bits is stored as an HMAC-SHA-256 under a key that is not in the database, without a salt of its own; ASVS asks for a password hash below 112 bits. Who has database and secret key can search for one.',
    ),
    '6.5.3': held('Codes and seeds are random', {
      'server/src/platform/auth/two-factor.ts': [],
      [profile]: ['two-factor secrets are stored encrypted, and recovery codes as keyed hashes'],
    }),
    '6.5.4': held(
      'A recovery code has at least 20 bits',
      { 'server/src/platform/auth/two-factor.ts': [] },
      'Twelve of 32 letters, 60 bits.',
    ),
    '6.5.5': notHeld(
      'A code of an app lives for 30 seconds',
      'low',
      'The code before and the one after are accepted too, because clocks of phones differ: 90 seconds.',
    ),
    '6.6.1': notApplicable('Codes by phone are the weaker choice', noCodeSent),
    '6.6.2': notApplicable('A code that is sent belongs to one login', noCodeSent),
    '6.6.3': notApplicable('Guessing at a code that is sent is limited', noCodeSent),
    '6.8.1': notApplicable('Providers of identity cannot take each other’s users', noProvider),
    '6.8.2': notApplicable('Assertions are signed', noProvider),
    '6.8.3': notApplicable('SAML assertions count once', noProvider),
    '6.8.4': notApplicable('The strength of a login elsewhere is checked', noProvider),
  },
};
