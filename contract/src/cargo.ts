import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { flag, id, integer, listInput, listOf, searchText, text, time, version } from './fields.ts';
import { provider } from './provider.ts';
import { office } from './roles.ts';
import { usageOf } from './usage.ts';

const base = '/api/arco/cargos';

/** The carrier's goods types. */
export const cargoTypes = {
  1: { zh: '普通货物', en: 'Ordinary goods' },
  2: { zh: '生鲜常温', en: 'Fresh, ambient' },
  3: { zh: '填仓货物', en: 'Filler goods' },
  4: { zh: '特殊配送', en: 'Special delivery' },
  5: { zh: '鲜活', en: 'Live goods' },
  6: { zh: '控温', en: 'Temperature-controlled' },
  7: { zh: '冷藏', en: 'Chilled' },
  8: { zh: '冷冻', en: 'Frozen' },
  9: { zh: '深冷', en: 'Deep-frozen' },
} as const;
export type CargoType = keyof typeof cargoTypes;

/** A goods kind (requirements §3); `type` is the carrier's goods type, a higher `priority` stands first in the order form. */
export const cargo = z.object({
  id: z.int(),
  name: z.string(),
  type: z.int(),
  provider,
  priority: z.int(),
  /** 1: nobody may ship it; an order with it is refused with `banned_reason`. */
  banned: flag,
  banned_reason: z.string(),
  /** Parcels of the last 30 days with goods of this name. */
  used_count: z.int(),
  status: flag,
  version: z.int(),
  created_at: time,
  updated_at: time,
});
export type Cargo = z.infer<typeof cargo>;

const fields = { name: text(1, 30), type: integer(1, 9), provider, priority: integer(0, 9_999), banned: flag, banned_reason: text(0, 100) };

export const listCargos = endpoint({
  method: 'GET',
  path: base,
  roles: office,
  summary: 'Goods kinds, by priority, with how often each was shipped lately.',
  input: z.object({
    ...listInput,
    q: z.optional(searchText),
    type: z.optional(fields.type),
    provider: z.optional(provider),
    banned: z.optional(flag),
    status: z.optional(flag),
  }),
  output: listOf(cargo),
});

export const getCargo = endpoint({ method: 'GET', path: `${base}/{id}`, roles: office, summary: 'One goods kind.', input: z.object({ id }), output: cargo });

export const createCargo = endpoint({
  method: 'POST',
  path: base,
  roles: office,
  summary: 'A new goods kind; its name is unique with its carrier.',
  input: z.object({
    ...fields,
    priority: z.optional(fields.priority),
    banned: z.optional(flag),
    banned_reason: z.optional(fields.banned_reason),
    status: z.optional(flag),
  }),
  output: cargo,
});

/** Only what changed. */
export const editCargo = endpoint({
  method: 'PATCH',
  path: `${base}/{id}`,
  roles: office,
  summary: 'Change a goods kind.',
  input: z.object({
    id,
    version,
    name: z.optional(fields.name),
    type: z.optional(fields.type),
    priority: z.optional(fields.priority),
    banned: z.optional(flag),
    banned_reason: z.optional(fields.banned_reason),
  }),
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

/** As they stand before one another in the order form. */
export const orderCargos = endpoint({
  method: 'POST',
  path: `${base}/order`,
  roles: office,
  summary: 'Put goods kinds in this order; those not named keep their places.',
  input: z.object({ ids: z.array(id).check(z.minLength(1, 'required'), z.maxLength(1_000, 'too_long')) }),
  output: z.object({ changed: z.int() }),
});

export const cargoUsage = usageOf(base, office);
