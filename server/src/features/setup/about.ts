import type { About } from '@waystation/contract/shell/about.ts';
import type { App } from '#app.ts';
import { sql } from '#platform/db/db.ts';
import { systemScope } from '#platform/db/scope.ts';
import { version } from '#platform/version.ts';

/** The demo's accounts by role, in the order of requirements §6. */
export const demoAccounts = [
  { username: 'super', role: 'super' },
  { username: 'admin', role: 'admin' },
  { username: 'partner', role: 'partner' },
  { username: 'station', role: 'station' },
  { username: 'clerk', role: 'user' },
] as const;

/** False without a database, so that the other facts about the product are still returned. */
const isCatchingUp = (app: App): Promise<boolean> =>
  app.db
    .tx(systemScope('about'), (work) =>
      sql`select 1 from settings where name = 'demo'
      and value ->> 'state' = 'catching_up'`.execute(work.tx),
    )
    .then(
      ({ rows }) => rows.length > 0,
      () => false,
    );

/**
 * True if no account was ever with a real carrier. Accounts that were disabled are included,
 * because their parcels stay real. False if the database does not answer; each parcel then shows
 * separately whether it is simulated.
 */
const isAllSimulated = (app: App): Promise<boolean> =>
  app.db
    .tx(systemScope('about'), (work) =>
      sql`select 1 from merchants where simulated = 0 limit 1`.execute(work.tx),
    )
    .then(
      ({ rows }) => rows.length === 0,
      () => false,
    );

export const describe = async (app: App): Promise<About> => {
  const { demo, demoPassword, session, mail, publicUrl } = app.config;
  return {
    version,
    demo,
    demo_catching_up: demo && (await isCatchingUp(app)),
    simulated: demo && (await isAllSimulated(app)),
    session: { idle_minutes: session.idleMinutes, absolute_hours: session.absoluteHours },
    mail: mail !== null && publicUrl !== null,
    accounts: demo ? demoAccounts.map((account) => ({ ...account, password: demoPassword })) : [],
  };
};
