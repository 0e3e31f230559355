import { jsonText, sql } from './db.ts';

/** JSON as `json_pack` stores it: the text of its template, and the texts of its values. */
export interface PackedJson {
  /** For format() of PostgreSQL: `%s` stands for a value. */
  template: string;
  values: string;
}

/** No JSON text contains this character: JSON writes a control character as `\u001f`. */
const separator = '\u001F';

/**
 * Packs an object or array as JSON. The template contains its structure, and `values` contains its
 * numbers, texts, booleans and nulls.
 */
export const packJson = (json: object): PackedJson => {
  const values: string[] = [];
  const shapeOf = (value: unknown): string => {
    if (Array.isArray(value)) return `[${value.map((one) => shapeOf(one)).join(',')}]`;
    if (value === null || typeof value !== 'object') {
      values.push(jsonText(value));
      return '%s';
    }
    const fields = Object.entries(value).filter(([, one]) => one !== undefined);
    return `{${fields.map(([key, one]) => `${jsonText(key).replaceAll('%', '%%')}:${shapeOf(one)}`).join(',')}}`;
  };
  const template = shapeOf(json);
  return { template, values: values.join(separator) };
};

/** Returns SQL for the value of a packed column (server/sql/packed-json.sql). */
export const packed = (json: object) => {
  const { template, values } = packJson(json);
  return sql<string>`json_pack(${template}::text, ${values}::text)`;
};
