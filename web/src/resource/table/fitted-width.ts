/**
 * The width of each character in em, as in the widest of the usual interface fonts at weight 600.
 * Chinese characters and unlisted characters are 1 em wide.
 */
const widths: readonly (readonly [characters: RegExp, em: number])[] = [
  [/[ ]/, 0.25],
  [/[ijlI|!'.,:;]/, 0.33],
  [/[frt()[\]{}\-/\\]/, 0.43],
  [/[csvxyz]/, 0.55],
  [/[mwMW%@]/, 0.96],
  [/[a-z0-9EFJLSTY]/, 0.63],
  [/[A-Z]/, 0.75],
];
const fontSize = 13;

/** The width in pixels of a text in the font size of a table cell. */
export const textWidth = (text: string): number =>
  fontSize *
  [...text].reduce(
    (sum, character) => sum + (widths.find(([known]) => known.test(character))?.[1] ?? 1),
    0,
  );

/** The width in pixels of the left and right padding of a cell, with some extra room. */
const edges = 16;
const arrows = 13;
const step = 4;

/** The width in pixels of a cell that shows the whole text. */
export const cellWidth = (text: string): number => Math.ceil(textWidth(text)) + edges;

interface Content {
  /** True if a press on the column's title sorts the rows. */
  sorts?: boolean;
  /** The longest texts of the column's cells, in the language of the title. */
  texts?: readonly string[];
  /** The width in pixels of other content beside the text of the cell. */
  beside?: number;
  /**
   * The minimum width in pixels. It is used for cells whose width is the same in all languages,
   * such as dates, numbers and codes.
   */
  least?: number;
}

/**
 * The width at which neither the title of the column nor the known texts of its cells are cut off.
 */
export const fittedWidth = (
  title: string,
  { sorts = false, texts = [], beside = 0, least = 0 }: Content = {},
): number => {
  const head = textWidth(title) + edges + (sorts ? arrows : 0);
  const cells = texts.map((text) => textWidth(text) + edges + beside);
  return step * Math.ceil(Math.max(least, head, ...cells) / step);
};

/** The distance in pixels between two actions of a row. */
const gap = 10;

/** The width in pixels of these texts side by side. */
const rowWidth = (texts: readonly string[]): number =>
  texts.reduce((sum, text) => sum + textWidth(text), gap * Math.max(0, texts.length - 1));

/** The width of a column that shows these action texts side by side. */
export const actionsWidth = (title: string, texts: readonly string[]): number =>
  fittedWidth(title, { least: rowWidth(texts) + edges });

/** The width in pixels of the button with three dots beside a row's actions. */
const moreButton = 16;
/**
 * The number of row actions that are shown as buttons. The other actions are in the menu behind
 * three dots (row-actions.tsx).
 */
const buttons = 2;

/**
 * The width of a column with row actions, in which even the row with the longest actions has room.
 */
export const rowActionsWidth = (
  title: string,
  actions: readonly { label: string; danger?: boolean | undefined }[],
): number => {
  const longest = actions
    .filter(({ danger }) => !danger)
    .map(({ label }) => label)
    .toSorted((one, other) => textWidth(other) - textWidth(one));
  const row = rowWidth(longest.slice(0, buttons));
  const dots = actions.length > Math.min(longest.length, buttons) ? moreButton + gap : 0;
  return fittedWidth(title, { least: row + dots + edges });
};
