/**
 * Events that are sent to the endpoints of customers (docs/decisions/0152). Triggers write an event
 * in the same transaction as the change (`server/sql/webhooks.sql`). Each run creates the
 * deliveries of an event for every webhook that may see it. Workers send the deliveries as the
 * Standard Webhooks specification says.
 */
export { firstOfAll } from './claim.ts';
export { endWebhooks, noticeStop } from './end.ts';
export { endPausedDeliveries } from './pause.ts';
export { replayOne, replayRange, resumeWaiting } from './replay.ts';
export { runWebhooks, startWebhooks, webhookWire } from './run.ts';
export type { WebhookApp } from './run.ts';
export {
  createWebhookSecret,
  signatureOf as webhookSignature,
  webhookSecretPurpose,
} from './sign.ts';
export { subjectOf } from './subjects.ts';
export { removeOldDeliveries } from './tidy.ts';
