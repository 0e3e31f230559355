import { commonPasswords } from './common-passwords.ts';
import { passwordLength } from '#base/limits.ts';
import type { Reason } from '#base/envelope.ts';

const characters = (text: string): number => [...text].length;
const folded = (text: string): string => text.normalize('NFKC').toLowerCase();
/**
 * To find a common word in a password such as `station2024!`, at most this number of characters is
 * removed at each end.
 */
const hungOn = 6;
/**
 * A part of a password without letters is compared only if it has at least this length. Shorter
 * parts occur by chance in any series of digits.
 */
const shortestStem = 4;
/**
 * The text itself, and every text that remains if digits or signs are removed from its beginning
 * and its end. A text that consists only of digits stays as it is.
 */
const stems = (text: string): string[] => {
  if (/^\d*$/.test(text)) return [text];
  const [head, tail] = [/^[\d\p{P}\p{S}]*/u, /[\d\p{P}\p{S}]*$/u].map((pattern) =>
    Math.min(pattern.exec(text)![0].length, hungOn),
  ) as [number, number];
  return Array.from({ length: head + 1 }, (_, before) =>
    Array.from({ length: tail + 1 }, (_one, after) =>
      text.slice(before, Math.max(before, text.length - after)),
    ),
  )
    .flat()
    .filter((stem) => stem === text || stem.length >= shortestStem || /\p{L}/u.test(stem));
};
/**
 * Removes one or two letters before or after digits: `a1234567` becomes `1234567`. Other texts stay
 * unchanged.
 */
const bare = (text: string): string =>
  text.replace(/^\p{L}{1,2}(?=\d+$)|(?<=^\d+)\p{L}{1,2}$/u, '');

const steps = [
  'abcdefghijklmnopqrstuvwxyz',
  'qwertyuiop',
  'asdfghjkl',
  'zxcvbnm',
  '01234567890',
  '1qaz',
  '2wsx',
  '3edc',
  '4rfv',
  '5tgb',
  '147258369',
  '741852963',
  '789456123',
];
const runs = [...steps, ...steps.map((step) => [...step].toReversed().join(''))];

/** True if the text only repeats one to four characters, as in 12312312312. */
const repeats = (text: string): boolean =>
  [1, 2, 3, 4].some(
    (width) =>
      text.length >= 2 * width &&
      [...text].every((character, at) => character === text[at % width]),
  );

/**
 * True if a password consists only of sequences of three or more neighbours: on the keyboard, in
 * the alphabet or of digits.
 */
const walks = (text: string): boolean => {
  let at = 0;
  while (at < text.length) {
    let longest = 0;
    for (const run of runs)
      for (let length = run.length; length > Math.max(longest, 2); length--)
        if (text.length - at >= length && run.includes(text.slice(at, at + length)))
          longest = length;
    if (longest === 0) return false;
    at += longest;
  }
  return true;
};

/** True if the password is one that attackers try first. */
export const isCommonPassword = (password: string): boolean => {
  const text = folded(password);
  return [...stems(text), bare(text)].some(
    (stem) => stem !== '' && (commonPasswords.has(stem) || repeats(stem) || walks(stem)),
  );
};

/**
 * True if the password is a name that colleagues know, such as that of the account or its station,
 * in upper or lower case and with any digits after it.
 */
export const isName = (password: string, known: string): boolean => {
  const [text, name] = [folded(password), folded(known)].map((one) =>
    one.replaceAll(/\s/g, ''),
  ) as [string, string];
  return name !== '' && stems(text).includes(name);
};

/** Each password rule, and whether `password` meets it, in the order of the form. */
export const passwordRules = (
  password: string,
  username: string,
  station = '',
): { rule: 'length' | 'username' | 'common'; met: boolean }[] => [
  {
    rule: 'length',
    met: characters(password) >= passwordLength.min && characters(password) <= passwordLength.max,
  },
  {
    rule: 'username',
    met: password !== '' && !isName(password, username) && !isName(password, station),
  },
  { rule: 'common', met: password !== '' && !isCommonPassword(password) },
];

/**
 * Why `password` is refused for an account with this username, in a station with this name; null if
 * it is accepted.
 */
export const passwordProblem = (
  password: string,
  username: string,
  station = '',
): Reason | null => {
  const count = characters(password);
  if (count < passwordLength.min)
    return { code: 'password_too_short', params: { min: passwordLength.min } };
  if (count > passwordLength.max)
    return { code: 'password_too_long', params: { max: passwordLength.max } };
  if (isName(password, username)) return { code: 'password_is_username' };
  if (isName(password, station)) return { code: 'password_is_station' };
  return isCommonPassword(password) ? { code: 'password_common' } : null;
};
