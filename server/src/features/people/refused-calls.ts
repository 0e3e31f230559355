import type { App } from '#app.ts';
import { auditRefusals } from '#platform/refused-calls.ts';

/** Task, every minute: refused calls of the minutes that are over stand in the audit log from now on (requirements §10.12.6). */
export const auditRefusedCalls = (app: App): Promise<void> => auditRefusals(app.db, app.clock.now());
