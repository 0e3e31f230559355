/**
 * The labels of a record's fields and the texts of their values. They are used by forms, by the
 * comparison of two versions, and by the change history of the record.
 */
export interface FieldWords {
  label: string;
  /** Writes the value as text; by default the value itself is shown. */
  show?: (value: unknown) => string;
}
/** The texts for the fields `K`. A field in `Shown` also needs texts for its values. */
export type RecordWords<K extends string = string, Shown extends K = never> = Readonly<
  Record<Exclude<K, Shown>, FieldWords> & Record<Shown, Required<FieldWords>>
>;

/** A value as it is displayed; a dash if the value is not set. */
export const shownValue = (words: FieldWords | undefined, value: unknown): string => {
  if (value === null || value === undefined || value === '') return '—';
  if (words?.show) return words.show(value);
  return typeof value === 'object'
    ? JSON.stringify(value)
    : String(value as string | number | boolean);
};
