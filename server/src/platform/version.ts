/** The product's version, as pages and backups show it. */
export const version = '1.0.0';
