/**
 * Characters without width in text from chats, web pages and spreadsheets: zero-width spaces and
 * joiners, direction marks, soft hyphens, Hangul fillers, variation selectors, byte order marks.
 * They have no meaning in a name, a number or a title, but two texts that look equal differ because
 * of them.
 */

/**
 * The characters that Unicode marks as ignorable, and two further kinds: annotation anchors and the
 * Braille blank.
 */
const invisible = /[\p{Default_Ignorable_Code_Point}\ufff9-\ufffb\u2800]/u;

/**
 * An emoji with the selectors and joiners that belong to it and decide its picture (❤️, 1️⃣, 👨‍👩‍👧,
 * the flag of Wales), or an invisible character.
 */
const picture = String.raw`\p{Extended_Pictographic}[\u{1f3fb}-\u{1f3ff}]?\ufe0f?`;
const emojiOrInvisible = new RegExp(
  String.raw`(${picture}(?:\u200d${picture})*(?:[\u{e0020}-\u{e007e}]{1,16}\u{e007f})?|[\d#*]\ufe0f?\u20e3)|[\p{Default_Ignorable_Code_Point}\ufff9-\ufffb\u2800]+`,
  'gu',
);

/**
 * Returns `text` without invisible characters; emoji, spaces and line breaks are kept. It is
 * applied to every field, cell, search and pasted text.
 */
export const visibleText = (text: string): string =>
  invisible.test(text) ? text.replace(emojiOrInvisible, '$1') : text;

/** Control characters, line breaks and unpaired surrogates. */
const unprintable = /[\p{Cc}\p{Cs}\u2028\u2029]/u;

/**
 * `text` in the format in which fields, cells and carriers' answers are stored: on one line and
 * trimmed, without control characters, unpaired surrogates and invisible characters.
 */
export const oneLine = (text: string): string => {
  const visible = visibleText(text);
  if (!unprintable.test(visible)) return visible.trim();
  return visible
    .toWellFormed()
    .replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .trim();
};
