import { local } from '#base/storage.ts';

const key = 'waystation-parcel-fields';

/**
 * The fields that this browser last requested for the list. Undefined if they were the fields of
 * the default columns. index.html requests the list with these fields, because it does not know the
 * user's columns yet.
 */
export const lastFields = (): string | undefined => {
  const fields = local.read(key);
  return fields !== null && /^[a-z_]+(?:,[a-z_]+)*$/.test(fields) ? fields : undefined;
};

export const keepLastFields = (fields: string | undefined): void =>
  fields === undefined ? local.drop(key) : local.write(key, fields);
