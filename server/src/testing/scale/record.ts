/**
 * Loaded before the product (`node --import`). While recording is switched on, it records every
 * query, so that the same SQL can later run without the product.
 */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type pg from 'pg';

export interface Recorded {
  client: number;
  text: string;
  values: unknown[];
}

// Uses the package `pg` of the checkout whose speed is measured.
const { Client } = createRequire(join(process.cwd(), 'server', 'package.json'))('pg') as typeof pg;
const query = Client.prototype.query as (...words: unknown[]) => unknown;
const numbers = new WeakMap<object, number>();
let clients = 0;
let recorded: Recorded[] | null = null;

Client.prototype.query = function (this: pg.Client, ...words: unknown[]): never {
  const [config, values] = words as [string | { text?: string; values?: unknown[] }, unknown];
  const text = typeof config === 'string' ? config : config?.text;
  if (recorded && text !== undefined) {
    if (!numbers.has(this)) numbers.set(this, ++clients);
    const bound = Array.isArray(values)
      ? values
      : typeof config === 'string'
        ? []
        : (config.values ?? []);
    recorded.push({ client: numbers.get(this)!, text, values: bound as unknown[] });
  }
  return query.apply(this, words) as never;
};

process.on('message', (message: { scale?: 'record' | 'recorded' }) => {
  if (message.scale === 'record') recorded = [];
  if (message.scale === 'recorded') {
    process.send?.({ recorded });
    recorded = null;
  }
});
