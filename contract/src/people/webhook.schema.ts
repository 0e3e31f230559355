import * as z from 'zod/mini';
import { withSchemas } from '#base/endpoint.ts';
import {
  flag,
  id,
  listInput,
  listOf,
  searchText,
  text,
  time,
  version,
} from '#base/fields.schema.ts';
import {
  momentLength,
  mostReplayed,
  otpLength,
  shortNameLength,
  webhookUrlLength,
} from '#base/limits.ts';
import { secretText } from './account.schema.ts';
import { deliveryStatuses, webhookErrors, webhookKinds, webhookStatuses } from './webhook.ts';
import * as endpoints from './webhook.ts';

const kind = z.enum(webhookKinds, 'invalid');
const sentKind = z.enum([...webhookKinds, 'webhook.test']);
/**
 * `stopped`: the webhook is not disabled but gets no events now, because its account, its station
 * or the role of its account has changed.
 */
const status = z.enum(webhookStatuses, 'invalid');
const deliveryStatus = z.enum(deliveryStatuses, 'invalid');

const webhook = z.object({
  id: z.int(),
  name: z.string(),
  /** The whole URL for the owner; for others only the host, `https://example.com/…`. */
  url: z.string(),
  events: z.array(kind),
  account_id: z.int(),
  username: z.string(),
  nickname: z.string(),
  /** The name of the station to which the account belongs. */
  account_station_name: z.nullable(z.string()),
  /**
   * The station whose events are sent; null: the events of all stations that the account may see.
   */
  station_id: z.nullable(z.int()),
  station_name: z.nullable(z.string()),
  with_below: flag,
  status,
  /**
   * Why the webhook is disabled: by its owner, by a managing account, after three days of failures,
   * after the answer 410, or because the account lost its access.
   */
  stopped_by: z.nullable(z.enum(['person', 'manager', 'failures', 'gone', 'access'])),
  /** 1: the caller may enable the webhook. */
  may_enable: flag,
  failing_since: z.nullable(time),
  failures: z.int(),
  /** The number of deliveries that wait, at most 10,000. */
  waiting: z.int(),
  /** The number of events that were dropped because too many deliveries were already waiting. */
  dropped: z.int(),
  /** The time until which deliveries are also signed with the former secret. */
  previous_until: z.nullable(time),
  /** 1: the webhook belongs to the caller. */
  mine: flag,
  version: z.int(),
  created_at: time,
  updated_at: time,
});
export type Webhook = z.infer<typeof webhook>;

const delivery = z.object({
  id: z.int(),
  message_id: z.string(),
  kind: sentKind,
  subject_id: z.int(),
  at: time,
  status: deliveryStatus,
  attempts: z.int(),
  /** The time of the next attempt, if the delivery waits. */
  next_at: z.nullable(time),
  /** The time of the last attempt; `ms` is how long the attempt took. */
  sent_at: z.nullable(time),
  ms: z.nullable(z.int()),
  request: z.nullable(z.string()),
  http_status: z.nullable(z.int()),
  /** The first 2,000 characters of the receiver's answer. */
  answer: z.nullable(z.string()),
  error: z.nullable(z.enum(webhookErrors)),
  detail: z.string(),
  /** The attempts before the last attempt, at most 19, the newest first. */
  earlier: z.array(
    z.object({
      at: time,
      ms: z.int(),
      http_status: z.nullable(z.int()),
      error: z.nullable(z.enum(webhookErrors)),
      /** The first 200 characters of the receiver's answer. */
      answer: z.nullable(z.string()),
    }),
  ),
});
export type WebhookDelivery = z.infer<typeof delivery>;

const proof = {
  /** The caller's own password, and a code if the caller has two-factor authentication. */
  password: secretText,
  otp: z.optional(z.string().check(z.maxLength(otpLength, 'too_long'))),
};

const settings = {
  name: text(1, shortNameLength),
  url: text(1, webhookUrlLength),
  events: z
    .array(kind)
    .check(z.minLength(1, 'required'), z.maxLength(webhookKinds.length, 'too_long')),
  /**
   * The id of the station whose events are sent; null: the events of all stations that the account
   * may see.
   */
  station_id: z.nullable(id),
  /** 1: events of the stations below this station are sent too. */
  with_below: flag,
};

const moment = z.iso
  .datetime({ offset: true, error: 'invalid' })
  .check(z.maxLength(momentLength, 'too_long'));

export const schemas = {
  listWebhooks: {
    input: z.object({ ...listInput, q: z.optional(searchText), status: z.optional(status) }),
    output: listOf(webhook),
  },
  createWebhook: {
    input: z.object({
      ...proof,
      ...settings,
      station_id: z.optional(settings.station_id),
      with_below: z.optional(flag),
    }),
    output: z.object({ webhook, secret: z.string() }),
  },
  editWebhook: {
    input: z.object({ id, version, ...proof, ...settings }),
    output: webhook,
  },
  renewWebhookSecret: {
    input: z.object({ id, ...proof }),
    output: z.object({ webhook, secret: z.string() }),
  },
  /**
   * Enables or disables a webhook. Enabling needs the password. Only the owner may enable it. If a
   * manager disabled it, only that manager, a super or an admin may enable it.
   */
  setWebhookStatus: {
    input: z.object({
      id,
      status: z.enum(['live', 'disabled'], 'invalid'),
      password: z.optional(secretText),
      otp: proof.otp,
    }),
    output: webhook,
  },
  removeWebhook: { input: z.object({ id }), output: z.object({ id: z.int() }) },
  testWebhook: { input: z.object({ id }), output: delivery },
  listDeliveries: {
    input: z.object({ id, ...listInput, status: z.optional(deliveryStatus) }),
    output: listOf(delivery),
  },
  replayDelivery: { input: z.object({ id, delivery: id }), output: delivery },
  /** Sends failed and skipped deliveries again, the oldest first, at most 1,000 in one call. */
  replayDeliveries: {
    input: z.object({ id, from: moment, to: moment }),
    output: z.object({ replayed: z.int().check(z.lte(mostReplayed)) }),
  },
};

export const calls = withSchemas(endpoints, schemas);
