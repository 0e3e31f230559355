import type { About } from '@waystation/contract/about.ts';
import type { App } from '#app.ts';

export const version = '1.0.0';

/** The demo's accounts by role, in the order of requirements §6. */
export const demoAccounts = [
  { username: 'super', role: 'super' },
  { username: 'admin', role: 'admin' },
  { username: 'partner', role: 'partner' },
  { username: 'station', role: 'station' },
  { username: 'clerk', role: 'user' },
] as const;

export const describe = async (app: App): Promise<About> => {
  const { demo, demoPassword, session } = app.config;
  const limits = { idle_minutes: session.idleMinutes, absolute_hours: session.absoluteHours };
  return { version, demo, simulated: demo, session: limits, accounts: demo ? demoAccounts.map((account) => ({ ...account, password: demoPassword })) : [] };
};
