import { local } from '#base/storage.ts';

const key = 'waystation-parcel-fields';

/**
 * The fields that this browser requested last for the list; undefined if these were the default
 * columns' fields. index.html requests the list with these fields, before the user's columns are
 * known.
 */
export const lastFields = (): string | undefined => {
  const fields = local.read(key);
  return fields !== null && /^[a-z_]+(?:,[a-z_]+)*$/.test(fields) ? fields : undefined;
};

export const keepLastFields = (fields: string | undefined): void =>
  fields === undefined ? local.drop(key) : local.write(key, fields);
