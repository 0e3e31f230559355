const megabyte = 1024 * 1024;

/**
 * Limits for reading one file, whoever uploaded it. An honest sheet of 100,000 rows of 15 cells in 20 MB stays below all of them (`npm run bench -- workbook`);
 * a file beyond one of them is refused with the limit in its reason.
 */
export const readLimits = {
  /** Bytes inflated from all the archive's entries that are read. */
  inflatedBytes: 400 * megabyte,
  /** Bytes that the shared strings of a workbook occupy in memory. */
  sharedStringBytes: 128 * megabyte,
  /** Bytes of a part that is read whole: the workbook's own, its relations, its styles. */
  partBytes: 16 * megabyte,
  entries: 1_000,
  /** Characters of a cell; Excel itself allows no more. */
  cellChars: 32_767,
  /** Heap of the reading thread. */
  heapMb: 256,
  /** How long a reader may take in all while somebody waits for its rows. */
  waitMs: 120_000,
};
export type ReadLimits = typeof readLimits;

/** Columns beyond these are not read, and of a cell no more than these characters are kept. */
export const mostColumns = 200;
export const keptChars = 2_000;

export type UnreadableCode = 'file_unreadable' | 'file_inflates' | 'file_strings' | 'file_entries' | 'file_cell' | 'file_reader_memory' | 'file_reader_time';

/** A file that will never be read, whoever tries again: damaged, another kind of file under this name, or beyond a limit. */
export class UnreadableFile extends Error {
  readonly code: UnreadableCode;
  readonly params: Record<string, number>;
  constructor(code: UnreadableCode = 'file_unreadable', params: Record<string, number> = {}, options: ErrorOptions = {}) {
    super(code, options);
    this.code = code;
    this.params = params;
  }
}

/** The reading thread ended without an answer, as it does when the process stops: trying again is right. */
export class ReadingInterrupted extends Error {}

export const inMegabytes = (bytes: number): number => Math.round(bytes / megabyte);
