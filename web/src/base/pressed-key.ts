/** The fields of a keyboard event that identify the key. */
export interface KeyPress {
  key: string;
  /** The key's place on the keyboard. */
  code: string;
}

const named =
  /^(?:Arrow(?:Up|Down|Left|Right)|Page(?:Up|Down)|Home|End|Tab|Enter|Escape|Delete|Backspace|F\d{1,2})$/;
const characters =
  /^(?:Key[A-Z]|Digit\d|Numpad(?:\d|Decimal|Add|Subtract|Multiply|Divide)|Minus|Equal|Bracket(?:Left|Right)|Backslash|Semicolon|Quote|Backquote|Comma|Period|Slash|IntlBackslash|Space)?$/;

/**
 * The pressed key. An input method reports each key as "Process": named keys and letters are then
 * known by their place.
 */
export const pressedKey = ({ key, code }: KeyPress): string => {
  if (key !== 'Process') return key;
  if (code === 'NumpadEnter') return 'Enter';
  if (named.test(code)) return code;
  return /^Key[A-Z]$/.test(code) ? code.slice(3).toLowerCase() : key;
};

/**
 * The text that a key begins an edit with: its character, or nothing for a key of an input method,
 * which composes in the editor; null for a key without a character, such as Shift.
 */
export const beginningOf = ({ key, code }: KeyPress): string | null => {
  if (key !== 'Process') return key.length === 1 ? key : null;
  return characters.test(code) ? '' : null;
};
