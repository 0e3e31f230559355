/** One change of one source file. The tests of that file should fail because of the change. */
export interface Mutant {
  /** The path of the file, relative to the root of the package. */
  file: string;
  start: number;
  end: number;
  /** The text that replaces the text from `start` to `end`. */
  text: string;
  line: number;
}

export type Change = Pick<Mutant, 'start' | 'end' | 'text'>;

export const mutated = (source: string, { start, end, text }: Change): string =>
  source.slice(0, start) + text + source.slice(end);

export const placed = (file: string, source: string, changes: readonly Change[]): Mutant[] =>
  changes
    .map((change) => ({ file, ...change, line: source.slice(0, change.start).split('\n').length }))
    .toSorted((a, b) => a.start - b.start);

const lineAt = (source: string, at: number): string =>
  source.slice(source.lastIndexOf('\n', at - 1) + 1, `${source}\n`.indexOf('\n', at)).trim();

/** Returns the text that identifies a mutant: its source line before and after the change. */
export const nameOf = (source: string, mutant: Mutant): string => {
  const before = source
    .slice(source.lastIndexOf('\n', mutant.start - 1) + 1, `${source}\n`.indexOf('\n', mutant.end))
    .replace(/\s+/g, ' ')
    .trim();
  const changed = mutated(source, mutant);
  const after = changed
    .slice(
      changed.lastIndexOf('\n', mutant.start - 1) + 1,
      `${changed}\n`.indexOf('\n', mutant.start + mutant.text.length),
    )
    .replace(/\s+/g, ' ')
    .trim();
  return `${mutant.file}: ${before || lineAt(source, mutant.start)} ⇒ ${after || '(nothing)'}`;
};
