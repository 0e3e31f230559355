/**
 * Events that are sent to endpoints of others (docs/decisions/0152). Triggers write events in the
 * transaction of a change (`server/sql/webhooks.sql`). A turn makes deliveries of them for every
 * webhook that may see them, and workers send these deliveries as the Standard Webhooks
 * specification says.
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
