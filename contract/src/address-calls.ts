import { parseAddressInput, parseAddressOutput } from './address.ts';
import { endpoint } from './endpoint.ts';
import { everyone } from './roles.ts';

export const parseAddress = endpoint({
  method: 'POST',
  path: '/api/arco/address/parse',
  roles: everyone,
  summary: 'People found in a pasted text, each field with how sure it is.',
  input: parseAddressInput,
  output: parseAddressOutput,
});
