/**
 * Characters without width that come with text from chats, web pages and spreadsheets: spaces and joiners of no width, marks of direction, soft hyphens,
 * Hangul fillers, variation selectors, marks of byte order. In a name, a number or a title they carry nothing and make equal texts different.
 */

/** Besides those that Unicode calls ignorable: anchors of annotations, and the blank of Braille. */
const invisible = /[\p{Default_Ignorable_Code_Point}\ufff9-\ufffb\u2800]/u;

/** An emoji with its own selectors and joiners, which decide what it shows: ❤️, 1️⃣, 👨‍👩‍👧, the flag of Wales. Otherwise what is invisible. */
const picture = String.raw`\p{Extended_Pictographic}[\u{1f3fb}-\u{1f3ff}]?\ufe0f?`;
const emojiOrInvisible = new RegExp(
  String.raw`(${picture}(?:\u200d${picture})*(?:[\u{e0020}-\u{e007e}]{1,16}\u{e007f})?|[\d#*]\ufe0f?\u20e3)|[\p{Default_Ignorable_Code_Point}\ufff9-\ufffb\u2800]+`,
  'gu',
);

/** `text` without invisible characters; an emoji stays as it is. Spaces and line breaks are visible. Every field, cell, search and pasted text is read through it. */
export const visibleText = (text: string): string => (invisible.test(text) ? text.replace(emojiOrInvisible, '$1') : text);
