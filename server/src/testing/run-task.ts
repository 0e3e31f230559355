import type { App } from '#app.ts';
import { tasks } from '#tasks.ts';
import { runHandler } from './run-handler.ts';

/** Runs one of the product's tasks immediately and without a worker. */
export const runTask = (app: App, name: string, payload: object = {}): Promise<void> =>
  runHandler(tasks, name, app, payload);
