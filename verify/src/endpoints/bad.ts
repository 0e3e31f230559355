import type { ServerResponse } from 'node:http';

/** The milliseconds after which the slow endpoint answers; a call is allowed ten seconds. */
const slowMs = 9_000;
const tenGigabytes = 10 * 2 ** 30;
const chunk = Buffer.alloc(2 ** 16, 'x');

/** Sends ten gigabytes, or less if the client stops reading. */
const flood = (response: ServerResponse): void => {
  response.writeHead(200, { 'content-length': tenGigabytes });
  const more = (): void => {
    while (!response.destroyed && response.write(chunk));
  };
  response.on('drain', more);
  more();
};

/** The behaviour of each bad endpoint, by its URL path. */
export const bad: Readonly<Record<string, (response: ServerResponse) => void>> = {
  slow: (response) => void setTimeout(() => response.end(), slowMs),
  hanging: () => {},
  redirecting: (response) => response.writeHead(302, { location: '/healthy' }).end(),
  'ten-gigabytes': flood,
  failing: (response) => response.writeHead(500).end(),
};
