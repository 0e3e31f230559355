import { endpoint } from '#base/endpoint.ts';
import { mostCargoSheetBytes } from '#base/limits.ts';
import { office } from '#base/roles.ts';
import { usageOf } from '#base/usage.ts';
import type { schemas } from './cargo.schema.ts';
export type { Cargo, CargoLine, CargoSheet, CargoValues } from './cargo.schema.ts';

const base = '/api/arco/cargos';

/** The carrier's types of goods, by their number. */
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

export const getCargo = endpoint<typeof schemas.getCargo>({
  method: 'GET',
  path: `${base}/{id}`,
  roles: office,
  summary: 'One goods kind.',
});

export const createCargo = endpoint<typeof schemas.createCargo>({
  method: 'POST',
  path: base,
  roles: office,
  summary: 'A new goods kind; its name is unique with its carrier.',
});

/** The request contains only the changed fields. */
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

/** Sets the order in which the order form lists the goods. */
export const orderCargos = endpoint<typeof schemas.orderCargos>({
  method: 'POST',
  path: `${base}/order`,
  roles: office,
  summary: 'Put goods kinds in this order; those not named keep their places.',
});

export const cargoUsage = usageOf(base, office);

/**
 * Reads a `file` with the columns of an export, sent as multipart/form-data, at most 1 MB and 1,000
 * rows. An empty cell or a missing column leaves the value unchanged. If cells cannot be read, each
 * is listed with its row, its column and the expected input, and no rows are returned.
 */
export const readCargoSheet = endpoint<typeof schemas.readCargoSheet>({
  method: 'POST',
  path: `${base}/sheet`,
  roles: office,
  takes: 'form',
  // The additional mebibyte is for the multipart form around the file, which is far smaller.
  bodyLimit: mostCargoSheetBytes + 1024 * 1024,
  summary:
    'Read a sheet of goods: which are new, changed or unchanged by carrier and name; changes nothing.',
});

/** Imports all rows or none; refused if a row has a different version than in the preview. */
export const importCargos = endpoint<typeof schemas.importCargos>({
  method: 'POST',
  path: `${base}/import`,
  roles: office,
  idempotency: 'required',
  bodyLimit: 1024 * 1024,
  summary: 'Create and change goods, merged by carrier and name, as a preview of them showed.',
});

/** Goods that most networks ship, as a starting list; the most common goods are first. */
export const commonCargos: readonly { name: string; type: CargoType }[] = [
  { name: '文件', type: 1 },
  { name: '服装鞋帽', type: 1 },
  { name: '日用百货', type: 1 },
  { name: '食品', type: 1 },
  { name: '数码产品', type: 1 },
  { name: '图书', type: 1 },
  { name: '化妆品', type: 1 },
  { name: '母婴用品', type: 1 },
  { name: '家居用品', type: 1 },
  { name: '五金配件', type: 1 },
  { name: '玩具', type: 1 },
  { name: '生鲜水果', type: 2 },
];
