import type { Page } from 'playwright-core';

export interface Trouble {
  seen: string[];
  allowed: RegExp[];
}

/**
 * Records console errors and warnings, page errors, failed requests, and responses with a status of
 * 500 or above. A request that the page itself aborted does not count as failed.
 */
export const watch = (page: Page, { seen }: Trouble): void => {
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning')
      seen.push(`console ${message.type()}: ${message.text()} (${message.location().url})`);
  });
  page.on('pageerror', (error) => seen.push(`page error: ${error.stack ?? error.message}`));
  page.on('requestfailed', (request) => {
    const why = request.failure()?.errorText ?? '';
    if (why !== 'net::ERR_ABORTED')
      seen.push(`request failed: ${request.method()} ${request.url()} ${why}`);
  });
  page.on('response', (response) => {
    if (response.status() >= 500)
      seen.push(`answer: ${response.status()} ${response.request().method()} ${response.url()}`);
  });
  page.on('crash', () => seen.push('the page crashed'));
};
