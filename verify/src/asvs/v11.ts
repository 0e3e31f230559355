import { held, notApplicable, notHeld } from './requirement.ts';
import type { Chapter } from './requirement.ts';

const carriersChoose =
  'JD Logistics and SF Express define how calls to them are signed: salted MD5 and HMAC with MD5 or SHA-1 are offered beside HMAC with SHA-256 and SHA-512, and SM3; the office chooses what its contract has.';
const secrets = 'server/src/platform/secrets/secrets.test.ts';

export const v11: Chapter = {
  id: 'V11',
  name: 'Cryptography',
  verdicts: {
    '11.1.1': held('The life of keys is documented', {
      'SECURITY.md': [],
      'docs/operating.md': [],
      'docs/decisions/0140-a-key-is-rotated-in-one-transaction.md': [],
    }),
    '11.1.2': held('Keys and algorithms are listed', { 'SECURITY.md': [] }),
    '11.2.1': notHeld(
      'Cryptography is that of proven libraries',
      'low',
      'The server uses OpenSSL by Node, PostgreSQL its own. In the browser ChaCha20-Poly1305 of what waits there is the project’s own code (decision 123), since pages without TLS have no Web Crypto; it is compared with OpenSSL byte by byte.',
    ),
    '11.2.2': notHeld(
      'Algorithms and keys can be exchanged',
      'low',
      'Password hashes name their parameters, encrypted values their format, and `rotate-key` encrypts all of them again. The hashes of the ledger’s chain are SHA-256 without a mark of the algorithm.',
    ),
    '11.2.3': notHeld('Everything has 128 bits of strength', 'low', carriersChoose),
    '11.3.1': held('No weak modes of block ciphers', {
      'server/src/platform/secrets/secrets.ts': [],
      'server/src/platform/db/backup/sealed.ts': [],
    }),
    '11.3.2': held('Only approved ciphers', {
      [secrets]: [
        'an encrypted secret does not contain the plain text, and differs each time it is encrypted',
      ],
      'web/src/base/chacha20-poly1305.test.ts': [
        'encryption of bytes of many lengths gives the same result as OpenSSL, and decryption restores the bytes',
      ],
    }),
    '11.3.3': held('What is encrypted cannot be changed unnoticed', {
      [secrets]: [
        'an encrypted secret cannot be decrypted after a bit of any byte was changed or its end was cut off',
        'a secret that was encrypted for one purpose cannot be decrypted for another purpose',
      ],
      'server/src/platform/db/backup/sealed.test.ts': [
        'an encrypted stream with two swapped chunks is refused',
      ],
    }),
    '11.4.1': notHeld(
      'Only approved hash functions',
      'low',
      `${carriersChoose} Codes of authenticator apps are HMAC-SHA-1 too, as all apps have it.`,
    ),
    '11.4.2': held(
      'Passwords are stored by a slow hash',
      {
        'server/src/platform/auth/password.ts': [],
        'server/src/every-answer.test.ts': [
          'no table contains a secret, except for the password hash in accounts',
        ],
      },
      'Argon2id of 19 MiB and two passes.',
    ),
    '11.4.3': notHeld(
      'Hashes of signatures are long enough',
      'low',
      `Our own have 256 bits. ${carriersChoose}`,
    ),
    '11.4.4': notApplicable(
      'Keys from passwords are stretched',
      'No key is derived from a password; keys are 256 random bits.',
    ),
    '11.5.1': notHeld(
      'Secrets are random, of 128 bits at least',
      'low',
      'All come from the system’s generator, and tokens, keys and seeds have 128 bits and more. A generated first password has 78 bits and a recovery code 60, and the code that confirms an address six digits, since people type them; guessing is limited.',
    ),
    '11.6.1': held(
      'Keys are made by approved means',
      { 'server/src/config-keys.ts': [], 'server/src/commands/rotate-key.ts': [] },
      'Keys are random bytes of OpenSSL; the product has no key pairs.',
    ),
  },
};
