import type { Parcel, Station, Statement, WebhookKind } from '@waystation/client';

/** An event as a webhook sends it. It contains no personal data: read such data with an API key. */
export interface WebhookEvent {
  type: WebhookKind | 'webhook.test';
  /** Time of the event, ISO 8601. */
  timestamp: string;
  /** Details of the event, with its parcel or other object as it was when the event was sent. */
  data: {
    /** The API path that returns the subject of this event to a caller with an API key. */
    path?: string;
    parcel?: Pick<
      Parcel,
      | 'id'
      | 'station_id'
      | 'order_id'
      | 'delivery_id'
      | 'return_delivery_id'
      | 'thr_order_id'
      | 'state_code'
      | 'exception'
      | 'weight'
      | 're_weight'
      | 'cal_weight'
      | 'pre_amount'
      | 'post_amount'
      | 'print_count'
      | 'ordered_at'
      | 'picked_up_at'
      | 'signed_at'
      | 'created_at'
      | 'updated_at'
    >;
    statement?: Pick<
      Statement,
      | 'id'
      | 'station_id'
      | 'type'
      | 'status'
      | 'express_id'
      | 'delivery_id'
      | 'amount'
      | 'freeze_amount'
      | 'available'
      | 'balance'
      | 'period'
      | 'created_at'
      | 'posted_at'
    >;
    station?: Pick<Station, 'id' | 'name' | 'available' | 'updated_at'>;
    [detail: string]: unknown;
  };
}

/** A request that a webhook did not send, or sent long ago. */
export class WebhookVerificationError extends Error {
  readonly reason: 'header' | 'timestamp' | 'signature' | 'payload';

  constructor(reason: WebhookVerificationError['reason']) {
    super(`The webhook is not accepted because of its ${reason}`);
    this.name = 'WebhookVerificationError';
    this.reason = reason;
  }
}

/** A request that arrived at the URL of a webhook. */
export interface WebhookRequest {
  /** The unchanged body. A body that was parsed and written again does not match the signature. */
  payload: string | Uint8Array;
  /** The request's headers, as an object of Node or a framework, or as `Headers`. */
  headers:
    | { get(name: string): string | null }
    | Readonly<Record<string, string | readonly string[] | undefined>>;
  /**
   * The webhook's secret, `whsec_…`; while the secret is being replaced, both the old and the new
   * one.
   */
  secret: string | readonly string[];
  /**
   * The largest allowed difference between the timestamp and the current time, in seconds; 300 by
   * default.
   */
  toleranceSeconds?: number | undefined;
  /** The current time; by default that of the machine's clock. */
  now?: Date | undefined;
}

/** The maximum number of signatures of one request that are compared. */
const mostSignatures = 16;

const bytesOf = (base64: string) => {
  try {
    const binary = atob(base64);
    const bytes = new Uint8Array(binary.length);
    for (let at = 0; at < binary.length; at++) bytes[at] = binary.charCodeAt(at);
    return bytes;
  } catch {
    return null;
  }
};

const headerOf = (headers: WebhookRequest['headers'], name: string): string => {
  const value =
    typeof headers['get'] === 'function'
      ? (headers as { get(name: string): string | null }).get(name)
      : (headers as Record<string, string | undefined>)[name];
  if (typeof value !== 'string' || value === '') throw new WebhookVerificationError('header');
  return value;
};

/**
 * Returns the event of a request that is signed with the secret according to Standard Webhooks.
 * Throws a `WebhookVerificationError` for any other request. A delivery may arrive twice with the
 * same `webhook-id`.
 */
export const verifyWebhook = async (request: WebhookRequest): Promise<WebhookEvent> => {
  const { payload, headers, secret, toleranceSeconds = 300, now = new Date() } = request;
  const [id, timestamp, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map(
    (name) => headerOf(headers, name),
  ) as [string, string, string];
  const away = Math.abs(now.getTime() / 1_000 - Number(timestamp));
  if (!/^\d{1,12}$/.test(timestamp) || away > toleranceSeconds)
    throw new WebhookVerificationError('timestamp');
  const encoder = new TextEncoder();
  const start = encoder.encode(`${id}.${timestamp}.`);
  const body = typeof payload === 'string' ? encoder.encode(payload) : payload;
  const signed = new Uint8Array(start.length + body.length);
  signed.set(start);
  signed.set(body, start.length);
  const claimed = signatures
    .split(' ')
    .filter((one) => one.startsWith('v1,'))
    .slice(0, mostSignatures)
    .flatMap((one) => bytesOf(one.slice('v1,'.length)) ?? []);
  const hmac = { name: 'HMAC', hash: 'SHA-256' };
  let isSigned = false;
  for (const one of typeof secret === 'string' ? [secret] : secret) {
    const raw = bytesOf(one.replace(/^whsec_/, ''));
    if (!raw || raw.length === 0) throw new TypeError('The secret is not one of a webhook');
    const key = await crypto.subtle.importKey('raw', raw, hmac, false, ['verify']);
    for (const signature of claimed)
      // Compares in constant time.
      isSigned = (await crypto.subtle.verify('HMAC', key, signature, signed)) || isSigned;
  }
  if (!isSigned) throw new WebhookVerificationError('signature');
  try {
    return JSON.parse(new TextDecoder().decode(body)) as WebhookEvent;
  } catch {
    throw new WebhookVerificationError('payload');
  }
};
