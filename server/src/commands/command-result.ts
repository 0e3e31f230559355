/** The output and the exit code of a command. */
export interface CommandResult {
  text: string;
  code: 0 | 1;
  /** Set by a command whose standard output is data: its text then goes to standard error. */
  to?: 'stderr';
}
