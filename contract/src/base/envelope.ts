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
 * `data` of a failed answer. `fields` names each bad field by its path, as in
 * `cargos.0.name`.
 */
export interface FailureData extends Reason {
  fields?: Record<string, Reason>;
  request_id: string;
  /**
   * The current row, returned with the error `version_conflict` so that both versions can be shown.
   */
  current?: unknown;
  /** The rows that failed, each with its reason, if all of them did. */
  failures?: readonly { id: number; reason: Reason }[];
}
