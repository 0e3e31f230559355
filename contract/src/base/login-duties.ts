import type { ErrorCode } from './errors.ts';

/** A duty that a person must do after login, before anything else. */
export type LoginDuty = 'password' | 'second_factor';

/** The field of an account that is 1 while a login duty is not done. */
export type DutyFlag = 'must_change' | 'needs_second_factor';

/** The error with which every other call is refused while the duty is open. */
export const dutyErrors = {
  password: 'password_change_required',
  second_factor: 'second_factor_setup_required',
} as const satisfies Record<LoginDuty, ErrorCode>;

/** For the error code of each login duty, the field that is 1 until the duty is done. */
export const dutyFlags: Readonly<Record<string, DutyFlag | undefined>> = {
  password_change_required: 'must_change',
  second_factor_setup_required: 'needs_second_factor',
};

/** The duty that must be done first; null if no duty is open. */
export const openDuty = ({
  must_change,
  needs_second_factor,
}: Record<DutyFlag, 0 | 1>): LoginDuty | null => {
  if (must_change === 1) return 'password';
  return needs_second_factor === 1 ? 'second_factor' : null;
};
