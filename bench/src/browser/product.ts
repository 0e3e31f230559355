import { startProduct as start } from '@waystation/e2e/harness/start-product.ts';
import { atEnd, pause } from './program.ts';

export interface Product {
  base: string;
  /** The token of the demo's super admin, who sees every column. */
  token: string;
  /**
   * The first page of the parcel list, as this product's server returns it. The compared products
   * show the same data.
   */
  parcels: string;
}

const password = 'waystation-demo';
const timeoutMs = 180_000;
/**
 * The first page of the list. It includes the columns that the compared products show in addition
 * to the default columns.
 */
const firstPage =
  '/api/arco/expresses?page=1&page_size=20&fields=' +
  'state_txt,receive_city,receive_county,goods,package_count,cal_weight,created_at';

interface Answer {
  status: number;
  data: Record<string, unknown>;
}

const ask = async (
  url: string,
  init: RequestInit = {},
): Promise<{ text: string; answer: Answer } | null> => {
  try {
    const response = await fetch(url, { ...init, signal: AbortSignal.timeout(10_000) });
    const text = await response.text();
    return response.ok ? { text, answer: JSON.parse(text) as Answer } : null;
  } catch {
    return null;
  }
};

const logIn = async (base: string): Promise<string | null> => {
  const body = JSON.stringify({ username: 'super', password });
  const found = await ask(`${base}/api/arco/login/password`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  });
  return found ? String(found.answer.data['access_token']) : null;
};

/**
 * Starts the built product of `checkout` with a demo of `parcels` parcels. By default `checkout` is
 * this repository. The product is stopped when the benchmark ends.
 */
export const startProduct = async (
  name: string,
  { parcels = 1500, checkout }: { parcels?: number; checkout?: string } = {},
): Promise<Product> => {
  const env = { WAYSTATION_DEMO_PARCELS: String(parcels), WAYSTATION_DEMO_PASSWORD: password };
  const product = await start({ name: `bench-${name}`, env, checkout });
  atEnd(product.stop);
  const base = product.url;
  for (const until = Date.now() + timeoutMs; Date.now() < until; await pause(500)) {
    const token = await logIn(base);
    const list =
      token === null
        ? null
        : await ask(base + firstPage, {
            headers: { authorization: `Bearer ${token}` },
          });
    if (token !== null && list && (list.answer.data['items'] as unknown[]).length === 20)
      return { base, token, parcels: list.text };
  }
  throw new Error(`the example network was not there within ${timeoutMs / 1000} s`);
};
