import { fillPath, pathNames } from '@waystation/contract/base/endpoint.ts';
import type { Endpoint } from '@waystation/contract/base/endpoint.ts';
import { base } from './headers.ts';

type Input = Readonly<Record<string, unknown>>;

/**
 * The input without the fields that are in the endpoint's path. It becomes the query of a GET
 * request or the body of any other request.
 */
export const besidesPath = (endpoint: Endpoint, input: Input): Input => {
  const inPath = new Set(pathNames(endpoint.path));
  return Object.fromEntries(Object.entries(input).filter(([name]) => !inPath.has(name)));
};

const queryText = (values: Input): string => {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(values))
    if (value !== undefined && value !== null && value !== '') query.append(name, String(value));
  return query.size === 0 ? '' : `?${query}`;
};

/** The URL of a call, with its path and query. */
export const requestUrl = (endpoint: Endpoint, input: Input): string =>
  base +
  fillPath(endpoint.path, input) +
  (endpoint.method === 'GET' ? queryText(besidesPath(endpoint, input)) : '');
