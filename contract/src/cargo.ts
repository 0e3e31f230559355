import { endpoint } from './endpoint.ts';
import { office } from './roles.ts';
import { usageOf } from './usage.ts';
import type { schemas } from './cargo.schema.ts';
export type { Cargo } from './cargo.schema.ts';

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

export const listCargos = endpoint<typeof schemas.listCargos>({
  method: 'GET',
  path: base,
  roles: office,
  summary: 'Goods kinds, by priority, with how often each was shipped lately.',
});

export const getCargo = endpoint<typeof schemas.getCargo>({ method: 'GET', path: `${base}/{id}`, roles: office, summary: 'One goods kind.' });

export const createCargo = endpoint<typeof schemas.createCargo>({
  method: 'POST',
  path: base,
  roles: office,
  summary: 'A new goods kind; its name is unique with its carrier.',
});

/** Only what changed. */
export const editCargo = endpoint<typeof schemas.editCargo>({
  method: 'PATCH',
  path: `${base}/{id}`,
  roles: office,
  summary: 'Change a goods kind.',
});

export const setCargoStatus = endpoint<typeof schemas.setCargoStatus>({
  method: 'POST',
  path: `${base}/{id}/status`,
  roles: office,
  summary: 'Enable or disable a goods kind; the last enabled one of a carrier stays.',
});

/** The order of the order form. */
export const orderCargos = endpoint<typeof schemas.orderCargos>({
  method: 'POST',
  path: `${base}/order`,
  roles: office,
  summary: 'Put goods kinds in this order; those not named keep their places.',
});

export const cargoUsage = usageOf(base, office);
