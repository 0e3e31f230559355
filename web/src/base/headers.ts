import { currentLocale } from './language.ts';
import { readToken } from './token.ts';

/**
 * The beginning of the URL of every API call. It is set at build time if the API and the page have
 * different origins.
 */
export const base =
  (import.meta.env?.['VITE_API_BASE_URL'] as string | undefined)?.replace(/\/$/, '') ?? '';

/** True if the API has the same origin as the page. Our cookies are sent only to our own origin. */
const isSameOrigin = (): boolean =>
  base === '' || new URL(base, globalThis.location?.href).origin === globalThis.location?.origin;

const cookie = (name: string): string | null => {
  const found = globalThis.document?.cookie.split('; ').find((pair) => pair.startsWith(`${name}=`));
  return found === undefined ? null : decodeURIComponent(found.slice(name.length + 1));
};

/** The headers of every call (requirements §7). A header that has no value is left out. */
export const plainHeaders = (): Record<string, string> => {
  const token = readToken();
  const xsrf = isSameOrigin() ? cookie('XSRF-TOKEN') : null;
  return {
    'X-Requested-With': 'XMLHttpRequest',
    'Content-Type': 'application/json',
    platform: 'arco',
    'client-side': 'arco',
    version: '1.0.0',
    'Accept-Language': currentLocale(),
    ...(token !== null && { Authorization: `Bearer ${token}` }),
    ...(xsrf !== null && { 'X-XSRF-TOKEN': xsrf }),
  };
};
