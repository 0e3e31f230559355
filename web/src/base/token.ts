import { local } from './storage.ts';

/** Requirements §4: a token under this key means logged in. */
export const tokenKey = 'token';

export const readToken = (): string | null => local.read(tokenKey) || null;
export const writeToken = (token: string): void => local.write(tokenKey, token);
export const dropToken = (): void => local.drop(tokenKey);
