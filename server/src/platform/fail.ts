import { errors, errorText } from '@waystation/contract/base/errors.ts';
import type { ErrorCode } from '@waystation/contract/base/errors.ts';
import type { Params, Reason } from '@waystation/contract/base/envelope.ts';

interface Details {
  fields?: Record<string, Reason>;
  current?: unknown;
  /** If all rows failed, the id and the reason of each. */
  failures?: readonly { id: number; reason: Reason }[];
  /** Seconds for a Retry-After header. */
  retryAfter?: number;
}

/**
 * An expected error, returned with its code, status and text. Anything else thrown is a 500 whose
 * text stays in the log.
 */
export class Failure extends Error {
  readonly code: ErrorCode;
  readonly params: Params;
  readonly details: Details;
  constructor(code: ErrorCode, params: Params, details: Details) {
    super(errorText(code, params, 'en'));
    this.name = 'Failure';
    this.code = code;
    this.params = params;
    this.details = details;
  }
  get status(): number {
    return errors[this.code].status;
  }
}

/** Ends the request (or the unit of work) with an error of the catalogue. */
export const fail = (code: ErrorCode, params: Params = {}, details: Details = {}): never => {
  throw new Failure(code, params, details);
};

/** Throws a 422. `fields` contains the reason for each invalid field, by its path. */
export const failFields = (fields: Record<string, Reason>): never =>
  fail('invalid_input', { count: Object.keys(fields).length }, { fields });
