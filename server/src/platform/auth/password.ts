import { argon2, randomBytes, randomInt, timingSafeEqual } from 'node:crypto';
import type { Argon2Parameters } from 'node:crypto';

/**
 * OWASP's second recommended profile: 19 MiB, 2 passes, 1 lane. It takes about 25 ms of one
 * processor core.
 */
const profile = { parallelism: 1, tagLength: 32, memory: 19_456, passes: 2 };

const derive = (
  password: string,
  nonce: Buffer,
  { memory, passes, parallelism, tagLength }: typeof profile,
): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const parameters: Argon2Parameters = {
      message: password.normalize('NFKC'),
      nonce,
      memory,
      passes,
      parallelism,
      tagLength,
    };
    argon2('argon2id', parameters, (error, hash) => (error ? reject(error) : resolve(hash)));
  });

/**
 * Returns `argon2id$memory$passes$lanes$salt$hash`. It contains the parameters, so that they can be
 * raised while old hashes stay valid.
 */
export const hashPassword = async (password: string): Promise<string> => {
  const nonce = randomBytes(16);
  const hash = await derive(password, nonce, profile);
  return [
    'argon2id',
    profile.memory,
    profile.passes,
    profile.parallelism,
    nonce.toString('base64url'),
    hash.toString('base64url'),
  ].join('$');
};

/**
 * True if the password has this stored hash. Compares in constant time; a malformed hash does not
 * match.
 */
export const verifyPassword = async (password: string, stored: string): Promise<boolean> => {
  const [algorithm, memory, passes, parallelism, nonce, hash] = stored.split('$');
  if (algorithm !== 'argon2id' || !nonce || !hash) return false;
  const expected = Buffer.from(hash, 'base64url');
  const actual = await derive(password, Buffer.from(nonce, 'base64url'), {
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
    tagLength: expected.length,
  });
  return timingSafeEqual(actual, expected);
};

let decoy: Promise<string> | undefined;
/**
 * Takes as long as a real password check. An unknown user name is therefore answered as slowly as a
 * wrong password.
 */
export const verifyNothing = async (password: string): Promise<false> => {
  decoy ??= hashPassword(randomBytes(16).toString('hex'));
  await verifyPassword(password, await decoy);
  return false;
};

/** Letters and digits that are easy to distinguish when printed. A password of 16 has 78 bits. */
const letters = 'abcdefghjkmnpqrstuvwxyz23456789';
/** Generates a password that is shown once and must be changed at the first login. */
export const makePassword = (): string =>
  [0, 1, 2, 3]
    .map(() => Array.from({ length: 4 }, () => letters[randomInt(letters.length)]).join(''))
    .join('-');
