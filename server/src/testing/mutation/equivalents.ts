/** Mutants that change nothing anybody could notice, by name, with the reason; looked at one by one. */
export const equivalents: ReadonlyMap<string, string> = new Map([]);
