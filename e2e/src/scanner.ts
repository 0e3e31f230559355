import type { Page } from 'playwright-core';

interface Scanner {
  /** True to send the keys as an input method sends them while it composes text. */
  composing?: boolean;
  end?: 'Enter' | 'Tab';
}

const signs: Record<string, [code: string, key: number]> = {
  '-': ['Minus', 189],
  '/': ['Slash', 191],
  '.': ['Period', 190],
  ':': ['Semicolon', 186],
};
const ends = { Enter: '\r', Tab: '\t' };

const keyOf = (
  character: string,
  end: 'Enter' | 'Tab',
): { code: string; key: string; windowsVirtualKeyCode: number } => {
  if (character === ends[end])
    return { code: end, key: end, windowsVirtualKeyCode: character.charCodeAt(0) };
  const [code, number] = signs[character] ?? [
    /\d/.test(character) ? `Digit${character}` : `Key${character.toUpperCase()}`,
    character.toUpperCase().charCodeAt(0),
  ];
  return { code, key: character, windowsVirtualKeyCode: number };
};

/**
 * Sends real keys as fast as a scanner does. The browser reads the time at which each key was sent,
 * so this works on a busy machine too.
 */
export const scan = async (
  page: Page,
  text: string,
  { composing = false, end = 'Enter' }: Scanner = {},
): Promise<void> => {
  const wire = await page.context().newCDPSession(page);
  const from = Date.now() / 1_000;
  for (const [index, character] of [...text, ends[end]].entries()) {
    const isEnd = index === text.length;
    const { code, ...real } = keyOf(character, end);
    const timestamp = from + index * 0.01;
    const modifiers = character === ':' ? 8 : 0;
    const key = composing
      ? { key: 'Process', windowsVirtualKeyCode: 229 }
      : { ...real, ...(end === 'Tab' && isEnd ? {} : { text: character }) };
    await wire.send('Input.dispatchKeyEvent', {
      type: composing ? 'rawKeyDown' : 'keyDown',
      code,
      timestamp,
      modifiers,
      ...key,
    });
    // While an input method composes text, it already shows that text in the field.
    if (composing && !isEnd)
      await wire.send('Input.imeSetComposition', {
        text: text.slice(0, index + 1),
        selectionStart: index + 1,
        selectionEnd: index + 1,
      });
    await wire.send('Input.dispatchKeyEvent', {
      type: 'keyUp',
      code,
      timestamp,
      modifiers,
      key: key.key,
      windowsVirtualKeyCode: key.windowsVirtualKeyCode,
    });
  }
  await wire.detach();
};
