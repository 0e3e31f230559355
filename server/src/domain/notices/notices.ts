/**
 * Notifications that are sent from the inbox to channels (requirements §10.2.26).
 * `inbox/deliver.ts` writes the outbox in the same transaction as the entries. A task sends the
 * waiting entries of each channel as one message, as far as the owner may still see them.
 */
export {
  addressHash,
  addressHint,
  addressProblem,
  channelAddressPurpose,
  codeHash,
  openAddress,
  sealAddress,
} from './address.ts';
export { composeNotices } from './compose.ts';
export { endChannels, removeOldChannels } from './end.ts';
export { mailState, sendMail } from './mail-state.ts';
export { textMessage } from './message.ts';
export { messageSay } from './message-words.ts';
export { plainText } from './plain-text.ts';
export { issueReset, mailboxOf, removeReset, resetOf } from './reset-link.ts';
export type { IssuedReset, ResetOf } from './reset-link.ts';
export { sendNotices } from './run.ts';
export { sendMessage } from './send-message.ts';
export { settle } from './settle.ts';
