import * as z from 'zod/mini';
import { withSchemas } from '#base/endpoint.ts';
import { text } from '#base/fields.schema.ts';
import { invitationTokenLength, usernameLength } from '#base/limits.ts';
import { secretText } from './account.schema.ts';
import * as endpoints from './password-reset.ts';

const token = z.string().check(z.maxLength(invitationTokenLength, 'too_long'));
const named = z.object({ username: z.string() });

export const schemas = {
  askPasswordReset: {
    input: z.object({ username: text(1, usernameLength.max) }),
    output: z.object({}),
  },
  openPasswordReset: { input: z.object({ token }), output: named },
  acceptPasswordReset: { input: z.object({ token, password: secretText }), output: named },
};

export const calls = withSchemas(endpoints, schemas);
