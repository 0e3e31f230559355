import type { App } from '#app.ts';
import { auditRefusals } from '#platform/refused-calls.ts';

/**
 * Task, every minute: moves the refused calls of past minutes to the audit log (requirements
 * §10.12.6).
 */
export const auditRefusedCalls = (app: App): Promise<void> =>
  auditRefusals(app.db, app.clock.now());
