export { makePushSecret, openPushSecret, pushSecretHash } from './push-secret.ts';

/** What a merchant's secrets are sealed for, so that none can stand in for another. */
export const secretPurpose = (field: 'access_token' | 'app_key' | 'app_secret'): string => `merchants.${field}`;
