export {
  endPreviousPushSecret,
  makePushSecret,
  openPushSecret,
  pushSecretHash,
  pushSecretPurpose,
  replacePushSecret,
} from './push-secret.ts';

/**
 * The purpose that a merchant's secret is encrypted for, so that none can replace another.
 */
export const secretPurpose = (field: 'access_token' | 'app_key' | 'app_secret'): string =>
  `merchants.${field}`;
