import type { About } from '@waystation/contract/shell/about.ts';

/** The address that gets a mailed link, if one was typed and the installation sends mail. */
export const mailOf = (about: About | null, typed: string): { mail?: string } =>
  about?.mail && typed.trim() !== '' ? { mail: typed.trim() } : {};
