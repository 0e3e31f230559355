import * as z from 'zod/mini';
import { withSchemas } from '#base/endpoint.ts';
import { invitationTokenLength } from '#base/limits.ts';
import { secretText } from './account.schema.ts';
import * as endpoints from './invitation.ts';

const token = z.string().check(z.maxLength(invitationTokenLength, 'too_long'));
const invited = z.object({ username: z.string() });

export const schemas = {
  openInvitation: { input: z.object({ token }), output: invited },
  acceptInvitation: { input: z.object({ token, password: secretText }), output: invited },
};

export const calls = withSchemas(endpoints, schemas);
