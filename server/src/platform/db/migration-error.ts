/** Why the database cannot be brought up to date, in words that say what to do. */
export class MigrationError extends Error {}
