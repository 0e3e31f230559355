import { createHmac, randomBytes } from 'node:crypto';

const prefix = 'whsec_';

/** The purpose for which the secrets of webhooks are encrypted. */
export const webhookSecretPurpose = 'webhooks.secret';

/**
 * Creates a secret with the format of the specification: the prefix and 32 random bytes in base64.
 */
export const createWebhookSecret = (): string => prefix + randomBytes(32).toString('base64');

export interface Message {
  id: string;
  /** The time of the call, in seconds since 1970. */
  timestamp: number;
  body: string;
}

/**
 * The value of `webhook-signature`: an HMAC-SHA256 of id, timestamp and body for each secret. The
 * receiver may know either secret while a secret is being replaced.
 */
export const signatureOf = ({ id, timestamp, body }: Message, secrets: readonly string[]): string =>
  secrets
    .map((secret) => {
      const key = Buffer.from(secret.slice(prefix.length), 'base64');
      return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
    })
    .join(' ');
