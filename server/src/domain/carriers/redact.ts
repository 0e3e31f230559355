import type { CarrierAccount } from './port.ts';
import type { WireAnswer } from './wire.ts';

const cut = '[cut]';
const secretNames =
  /^(?:sign|access_?token|app_?secret|app_?key|refresh_?token|token|secret|authorization|perPrintData)$/i;
const phone = /(?<![A-Za-z0-9])(1[3-9]\d)\d{4}(\d{4})(?!\d)/g;
const landline = /(?<![A-Za-z0-9])(0\d{2,3}-?\d{3})\d{4,5}(?!\d)/g;
const longestText = 2_000;
const deepest = 12;

type Secret = Pick<CarrierAccount, 'app_key' | 'app_secret' | 'access_token'>;

const secretsOf = (account: Secret): string[] =>
  [account.app_secret, account.access_token, account.app_key].filter(
    (secret) => secret.length >= 4,
  );

const withoutSecrets = (text: string, secrets: readonly string[]): string => {
  let clean = text;
  for (const secret of secrets) clean = clean.replaceAll(secret, cut);
  return clean;
};

/**
 * The shortest length at which a key is too long to be part of a waybill number, an amount or a
 * time by chance.
 */
const telling = 8;

/**
 * Removes our app key, secret and token from the body of an answer, because values from the answer
 * are stored and shown as messages, places or names.
 */
export const answerWithoutSecrets = (answer: WireAnswer, account: Secret): WireAnswer => {
  if (answer.got === 'nothing') return answer;
  const secrets = secretsOf(account).filter(({ length }) => length >= telling);
  return { ...answer, body: withoutSecrets(answer.body, secrets) };
};

/**
 * The carrier's text without our app key, secret and token, which a gateway may repeat from the
 * call.
 */
export const wordsWithoutSecrets = (text: string, account: Secret): string =>
  withoutSecrets(text, secretsOf(account));

const redactText = (text: string, secrets: readonly string[]): string => {
  const clean = withoutSecrets(text, secrets)
    .replace(phone, '$1****$2')
    .replace(landline, '$1****');
  return clean.length > longestText ? `${clean.slice(0, longestText)}… (${clean.length})` : clean;
};

const walk = (value: unknown, secrets: readonly string[], depth: number): unknown => {
  if (typeof value === 'string') return redactText(value, secrets);
  if (typeof value === 'number') {
    const shown = redactText(String(value), secrets);
    return shown === String(value) ? value : shown;
  }
  if (value === null || typeof value !== 'object') return value;
  if (depth > deepest) return cut;
  if (Array.isArray(value))
    return value.slice(0, 200).map((item) => walk(item, secrets, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [
      redactText(name, secrets),
      secretNames.test(name) && item !== null ? cut : walk(item, secrets, depth + 1),
    ]),
  );
};

/**
 * The content of a call that may be stored and shown: `text`, parsed if it is JSON. Keys, tokens,
 * signatures and encrypted print data are removed at any depth. Phone numbers are masked and long
 * texts are shortened.
 */
export const redact = (text: string, account: Secret): unknown => {
  const secrets = secretsOf(account);
  try {
    return walk(JSON.parse(text) as unknown, secrets, 0);
  } catch {
    return redactText(text, secrets);
  }
};
