/** The five roles of requirements §6; the role with the most rights is first. `user` is a clerk. */
export const roles = ['super', 'admin', 'partner', 'station', 'user'] as const;
export type Role = (typeof roles)[number];

/** Any logged-in user. */
export const everyone: readonly Role[] = roles;
/** The roles that administer the network. */
export const office: readonly Role[] = ['super', 'admin'];
/**
 * All roles except clerk, for screens such as print records, statements and stations (requirements
 * §6).
 */
export const managers: readonly Role[] = ['super', 'admin', 'partner', 'station'];

/**
 * True if `role` is strictly above `other`. Only an account of a higher role may manage an account.
 */
export const outranks = (role: Role, other: Role): boolean =>
  roles.indexOf(role) < roles.indexOf(other);
