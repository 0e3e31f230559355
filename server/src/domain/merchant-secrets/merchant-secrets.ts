export {
  endPreviousPushSecret,
  makePushSecret,
  openPushSecret,
  pushSecretHash,
  pushSecretPurpose,
  replacePushSecret,
} from './push-secret.ts';

/**
 * The purpose that a merchant's secret is encrypted for. It keeps one stored secret from being used
 * in place of another.
 */
export const secretPurpose = (field: 'access_token' | 'app_key' | 'app_secret'): string =>
  `merchants.${field}`;
