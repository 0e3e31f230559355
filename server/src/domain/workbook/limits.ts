const megabyte = 1024 * 1024;

/**
 * Limits for reading one uploaded file. A regular sheet with 100,000 rows of 15 cells in 20 MB is
 * within all limits (`npm run bench -- workbook`). A file that exceeds a limit is refused, and the
 * reason contains that limit.
 */
export const readLimits = {
  /** The largest number of bytes that may be inflated from all entries together. */
  inflatedBytes: 400 * megabyte,
  /** The largest number of bytes that the shared strings of a workbook may occupy in memory. */
  sharedStringBytes: 128 * megabyte,
  /** The largest number of shared strings: twenty for each of 100,000 rows. */
  sharedStrings: 2_000_000,
  /**
   * The largest number of bytes of a part that is read as a whole: the list of sheets, the
   * relations or the styles.
   */
  partBytes: 16 * megabyte,
  entries: 1_000,
  /** The largest number of characters of a cell; it is Excel's own limit. */
  cellChars: 32_767,
  /**
   * The largest number of characters of a row that are stored. Rows are stored and checked 1,000 at
   * a time.
   */
  rowChars: 10_000,
  /** The largest number of sheets of a workbook, and of relations of one part. */
  sheets: 1_000,
  /**
   * The largest number of merged areas of a sheet. It is also the largest number of rows that they
   * cover, apart from the first row of each area.
   */
  mergedCells: 200_000,
  /** The largest heap of the reading thread, in megabytes. */
  heapMb: 256,
  /**
   * The largest CPU time of the reading thread, in milliseconds. Time in which the thread waits
   * does not count, so that a busy machine does not make a file unreadable.
   */
  cpuMs: 120_000,
  /**
   * The longest time, in milliseconds, for which a consumer waits for the reader's rows, however
   * busy the machine is.
   */
  waitMs: 600_000,
};
export type ReadLimits = typeof readLimits;

/**
 * `mostColumns`: the largest number of columns that are read. `keptChars`: the largest number of
 * characters of a cell that are stored.
 */
export const mostColumns = 200;
export const keptChars = 2_000;

export type UnreadableCode =
  | 'file_unreadable'
  | 'file_opendocument'
  | 'file_binary_workbook'
  | 'file_encrypted'
  | 'file_not_workbook'
  | 'file_inflates'
  | 'file_strings'
  | 'file_string_count'
  | 'file_entries'
  | 'file_cell'
  | 'file_row'
  | 'file_sheets'
  | 'file_merged'
  | 'file_reader_memory'
  | 'file_reader_time';

/**
 * A file that no later attempt can read: it is damaged, has another format than its name, or
 * exceeds a limit.
 */
export class UnreadableFile extends Error {
  readonly code: UnreadableCode;
  readonly params: Record<string, number>;
  constructor(
    code: UnreadableCode = 'file_unreadable',
    params: Record<string, number> = {},
    options: ErrorOptions = {},
  ) {
    super(code, options);
    this.code = code;
    this.params = params;
  }
}

/**
 * The reading thread ended without a result, for example because the process stops. The file may be
 * read again.
 */
export class ReadingInterrupted extends Error {}

/** The reading thread got too little CPU time, so the file may be read again. */
export class ReadingStarved extends Error {}

export const inMegabytes = (bytes: number): number => Math.round(bytes / megabyte);
