import { local } from '#base/storage.ts';

const key = 'waystation-parcel-fields';

/**
 * The fields of the list that this browser requested last; undefined: those of the default columns.
 * index.html requests the list by them, before the user's columns are known.
 */
export const lastFields = (): string | undefined => {
  const fields = local.read(key);
  return fields !== null && /^[a-z_]+(?:,[a-z_]+)*$/.test(fields) ? fields : undefined;
};

export const keepLastFields = (fields: string | undefined): void =>
  fields === undefined ? local.drop(key) : local.write(key, fields);
