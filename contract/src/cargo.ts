import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { flag, id, integer, listInput, listOf, text, time, version } from './fields.ts';
import { provider } from './provider.ts';
import { office } from './roles.ts';

const base = '/api/arco/cargos';

/** A goods kind (requirements §3); `type` is the carrier's goods type, a higher `priority` stands first in the order form. */
export const cargo = z.object({
  id: z.int(),
  name: z.string(),
  type: z.int(),
  provider,
  priority: z.int(),
  status: flag,
  version: z.int(),
  created_at: time,
  updated_at: time,
});
export type Cargo = z.infer<typeof cargo>;

const fields = { name: text(1, 30), type: integer(1, 9), provider, priority: integer(0, 9_999) };

export const listCargos = endpoint({
  method: 'GET',
  path: base,
  roles: office,
  summary: 'Goods kinds, by priority.',
  input: z.object({ ...listInput, q: z.optional(text(0, 30)), type: z.optional(fields.type), provider: z.optional(provider), status: z.optional(flag) }),
  output: listOf(cargo),
});

export const getCargo = endpoint({ method: 'GET', path: `${base}/{id}`, roles: office, summary: 'One goods kind.', input: z.object({ id }), output: cargo });

export const createCargo = endpoint({
  method: 'POST',
  path: base,
  roles: office,
  summary: 'A new goods kind; its name is unique with its carrier.',
  input: z.object({ ...fields, priority: z.optional(fields.priority), status: z.optional(flag) }),
  output: cargo,
});

/** Only what changed. */
export const editCargo = endpoint({
  method: 'PATCH',
  path: `${base}/{id}`,
  roles: office,
  summary: 'Change a goods kind.',
  input: z.object({ id, version, name: z.optional(fields.name), type: z.optional(fields.type), priority: z.optional(fields.priority) }),
  output: cargo,
});

export const setCargoStatus = endpoint({
  method: 'POST',
  path: `${base}/{id}/status`,
  roles: office,
  summary: 'Enable or disable a goods kind; the last enabled one of a carrier stays.',
  input: z.object({ id, status: flag }),
  output: cargo,
});
