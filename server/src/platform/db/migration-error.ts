/** Why the database cannot be brought up to date, with the next step. */
export class MigrationError extends Error {}
