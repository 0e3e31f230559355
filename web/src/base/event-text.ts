/** A server-sent event with its id and its data; null if the event has none. */
export interface SentEvent {
  id: string | null;
  data: string | null;
}

const fieldOf = (lines: readonly string[], name: string): string | null => {
  const line = lines.findLast((one) => one.startsWith(`${name}:`));
  return line === undefined ? null : line.slice(name.length + 1).replace(/^ /, '');
};

/**
 * Reads the text of an event stream in pieces of any size, and returns the complete events. A
 * comment counts as an event without id and data.
 */
export const eventReader = (): ((piece: string) => SentEvent[]) => {
  let rest = '';
  return (piece) => {
    const blocks = (rest + piece).split('\n\n');
    rest = blocks.pop()!;
    return blocks.map((block) => {
      const lines = block.split('\n');
      return { id: fieldOf(lines, 'id'), data: fieldOf(lines, 'data') };
    });
  };
};
