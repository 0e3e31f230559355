import { local } from './storage.ts';

/**
 * The storage key of the session token. If a token is stored, the user is logged in (requirements
 * §4).
 */
export const tokenKey = 'token';

export const readToken = (): string | null => local.read(tokenKey) || null;
export const writeToken = (token: string): void => local.write(tokenKey, token);
export const dropToken = (): void => local.drop(tokenKey);
