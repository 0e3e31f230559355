/** What a command prints and the exit code it ends with. */
export interface CommandResult {
  text: string;
  code: 0 | 1;
}
