/**
 * The reason why the embedded PostgreSQL cannot run here; the message is one sentence with the next
 * step.
 */
export type EmbeddedReason =
  | 'in_use'
  | 'unsupported'
  | 'no_permission'
  | 'no_account'
  | 'disk_full'
  | 'failed';

export class EmbeddedError extends Error {
  readonly reason: EmbeddedReason;
  constructor(reason: EmbeddedReason, message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'EmbeddedError';
    this.reason = reason;
  }
}

const denied = new Set(['EACCES', 'EPERM', 'EROFS']);

/** Throws the error message for a file system error. Any other error is thrown unchanged. */
export const fileProblem = (error: unknown, path: string): never => {
  const code = (error as NodeJS.ErrnoException).code ?? '';
  if (error instanceof EmbeddedError) throw error;
  if (denied.has(code))
    throw new EmbeddedError(
      'no_permission',
      `There is no write permission for ${path}: start as the user it belongs to, or set WAYSTATION_DATA to a folder you may write to.`,
      error,
    );
  if (code === 'ENOTDIR' || code === 'EEXIST')
    throw new EmbeddedError(
      'no_permission',
      `${path} is not a folder: set WAYSTATION_DATA to a folder.`,
      error,
    );
  if (code === 'ENOSPC' || code === 'EDQUOT')
    throw new EmbeddedError(
      'disk_full',
      `The disk that holds ${path} is full: free some space and start again.`,
      error,
    );
  throw error;
};
