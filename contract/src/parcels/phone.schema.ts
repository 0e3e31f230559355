import * as z from 'zod/mini';
import { longestPhone, phoneText, readPhone } from './phone.ts';

/**
 * A phone in an input: stored in its canonical format; refused with `phone_masked` or
 * `phone_invalid` if that is not possible.
 */
export const phone = z.pipe(
  z.string().check(z.minLength(1, 'required'), z.maxLength(longestPhone * 4, 'too_long')),
  z.transform((value: string, context): string => {
    const reading = readPhone(value);
    if (reading.ok) return phoneText(reading.phone);
    context.issues.push({ code: 'custom', message: reading.code, input: value });
    return value;
  }),
);
