/**
 * The format of every JSON response under /api. `status` 200 means success (requirements §3); a
 * failure has its HTTP status both here and in the HTTP response.
 */
export interface Envelope<T> {
  status: number;
  data: T;
  message: string;
}

/** The parameters of a code; they are inserted into the texts of both languages. */
export type Params = Record<string, string | number>;

/**
 * A reason to show: a code with parameters. The client writes it as text in the reader's language.
 */
export interface Reason {
  code: string;
  params?: Params;
}

/**
 * The `data` of a failed response. `fields` contains each refused field by its path, such as
 * `cargos.0.name`.
 */
export interface FailureData extends Reason {
  fields?: Record<string, Reason>;
  request_id: string;
  /**
   * The current row, returned with the error `version_conflict` so that both versions can be shown.
   */
  current?: unknown;
  /** If all rows failed: the rows, each with its reason. */
  failures?: readonly { id: number; reason: Reason }[];
}
