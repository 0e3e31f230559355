/** The fields of a keyboard event that identify the key. */
export interface KeyPress {
  key: string;
  /** The code of the key's position, such as `KeyA`. */
  code: string;
}

const named =
  /^(?:Arrow(?:Up|Down|Left|Right)|Page(?:Up|Down)|Home|End|Tab|Enter|Escape|Delete|Backspace|F\d{1,2})$/;
const characters =
  /^(?:Key[A-Z]|Digit\d|Numpad(?:\d|Decimal|Add|Subtract|Multiply|Divide)|Minus|Equal|Bracket(?:Left|Right)|Backslash|Semicolon|Quote|Backquote|Comma|Period|Slash|IntlBackslash|Space)?$/;

/**
 * The name of the pressed key. An input method reports keys as "Process", so named keys and letters
 * are then recognised by their position on the keyboard.
 */
export const pressedKey = ({ key, code }: KeyPress): string => {
  if (key !== 'Process') return key;
  if (code === 'NumpadEnter') return 'Enter';
  if (named.test(code)) return code;
  return /^Key[A-Z]$/.test(code) ? code.slice(3).toLowerCase() : key;
};

/**
 * The text that a pressed key writes into the cell when it starts an edit. For most keys it is the
 * typed character. It is empty for a key of an input method, which writes the text itself. Null for
 * a key without a character, such as Shift.
 */
export const beginningOf = ({ key, code }: KeyPress): string | null => {
  if (key !== 'Process') return key.length === 1 ? key : null;
  return characters.test(code) ? '' : null;
};
