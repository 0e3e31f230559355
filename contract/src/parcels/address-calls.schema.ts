import {
  checkPlaceInput,
  checkPlaceOutput,
  parseAddressInput,
  parseAddressOutput,
} from './address.schema.ts';
import { withSchemas } from '#base/endpoint.ts';
import * as endpoints from './address-calls.ts';

export const schemas = {
  parseAddress: {
    input: parseAddressInput,
    output: parseAddressOutput,
  },
  checkPlace: {
    input: checkPlaceInput,
    output: checkPlaceOutput,
  },
};

export const calls = withSchemas(endpoints, schemas);
