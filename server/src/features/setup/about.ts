import type { About } from '@waystation/contract/about.ts';
import type { App } from '#app.ts';
import { sql } from '#platform/db/db.ts';
import { systemScope } from '#platform/db/scope.ts';

export const version = '1.0.0';

/** The demo's accounts by role, in the order of requirements §6. */
export const demoAccounts = [
  { username: 'super', role: 'super' },
  { username: 'admin', role: 'admin' },
  { username: 'partner', role: 'partner' },
  { username: 'station', role: 'station' },
  { username: 'clerk', role: 'user' },
] as const;

/** Without a database nothing is known, and everything else about the product still is. */
const isCatchingUp = (app: App): Promise<boolean> =>
  app.db
    .tx(systemScope('about'), (tx) => sql`select 1 from settings where name = 'demo' and value ->> 'state' = 'catching_up'`.execute(tx))
    .then(
      ({ rows }) => rows.length > 0,
      () => false,
    );

export const describe = async (app: App): Promise<About> => {
  const { demo, demoPassword, session } = app.config;
  return {
    version,
    demo,
    demo_catching_up: demo && (await isCatchingUp(app)),
    simulated: demo,
    session: { idle_minutes: session.idleMinutes, absolute_hours: session.absoluteHours },
    accounts: demo ? demoAccounts.map((account) => ({ ...account, password: demoPassword })) : [],
  };
};
