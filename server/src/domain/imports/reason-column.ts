/** Title of the column that the file of rows that were not ordered adds to the layout of its import. */
export const reasonTitle = { zh: '失败原因', en: 'Reason' } as const;

const reasonTitles: readonly string[] = Object.values(reasonTitle);

/** Whether a row has the titles of such a file. */
export const hasReasonColumn = (titles: readonly string[]): boolean => titles.length > 1 && reasonTitles.includes(titles.at(-1)!);

/** Titles without that column, so that the file counts as the same layout when it is uploaded again. */
export const columnsOfFile = (titles: readonly string[]): readonly string[] => (hasReasonColumn(titles) ? titles.slice(0, -1) : titles);
