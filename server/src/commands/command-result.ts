/** The output and the exit code of a command. */
export interface CommandResult {
  text: string;
  code: 0 | 1;
  /** Standard output carries data here. */
  to?: 'stderr';
}
