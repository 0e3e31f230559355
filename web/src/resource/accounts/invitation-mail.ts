import type { About } from '@waystation/contract/shell/about.ts';

/**
 * The email address to which the invitation link is sent. Absent if none was typed or if the
 * installation cannot send mail.
 */
export const mailOf = (about: About | null, typed: string): { mail?: string } =>
  about?.mail && typed.trim() !== '' ? { mail: typed.trim() } : {};
