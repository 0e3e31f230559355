/** How the fields of a record are called and what their values say: in forms, in the comparison of two versions and in the record's history. */
export interface FieldWords {
  label: string;
  /** The value in words; else as it is. */
  show?: (value: unknown) => string;
}
export type RecordWords<K extends string = string> = Readonly<Record<K, FieldWords>>;

/** A value as people read it; what is not set is a dash. */
export const shownValue = (words: FieldWords | undefined, value: unknown): string => {
  if (value === null || value === undefined || value === '') return '—';
  if (words?.show) return words.show(value);
  return typeof value === 'object' ? JSON.stringify(value) : String(value as string | number | boolean);
};
