/**
 * Thrown if the database cannot be brought up to date. The message gives the reason and the next
 * step.
 */
export class MigrationError extends Error {}
