import type { App } from '#app.ts';
import { ConfigError } from '#config.ts';
import type { Config } from '#config.ts';
import type { CommandResult } from './command-result.ts';
import { catchUpDemo, demoState, fillDemo } from '#features/demo/demo.ts';

/**
 * Fails if the configuration is not that of a demo, because the demo's accounts have a known
 * password.
 */
export const requireDemo = ({ demo }: Pick<Config, 'demo'>): void => {
  if (!demo)
    throw new ConfigError(
      'The example network has accounts with a known password, and this configuration starts as a real one: unset NODE_ENV=production and WAYSTATION_DEMO=0, and set WAYSTATION_DEMO=1 beside DATABASE_URL.',
    );
};

/**
 * `demo`: fills the example network into an empty database, as the first `npm start` does. Throws a
 * ConfigError if the database has other content.
 */
export const demoCommand = async (
  app: App,
  step: (text: string) => void = () => {},
  simulated?: (app: App) => Promise<boolean>,
): Promise<CommandResult> => {
  const state = await demoState(app);
  if (state === 'filled') return { text: 'The example network is there already.', code: 0 };
  if (state === 'none') await fillDemo(app, step, simulated);
  await catchUpDemo(app);
  return { text: 'The example network is filled; "npm start" serves it.', code: 0 };
};
