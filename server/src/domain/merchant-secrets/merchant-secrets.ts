export {
  endPreviousPushSecret,
  makePushSecret,
  openPushSecret,
  pushSecretHash,
  pushSecretPurpose,
  replacePushSecret,
} from './push-secret.ts';

/**
 * The purpose for which a carrier account's secret is encrypted. With it, one stored secret cannot
 * be used in place of another.
 */
export const secretPurpose = (field: 'access_token' | 'app_key' | 'app_secret'): string =>
  `merchants.${field}`;
