import { registerHooks } from 'node:module';
import { parseSync } from 'oxc-parser';
import * as z from 'zod/mini';

// The comments on fields in the contract's schemas become the descriptions in their JSON Schemas.
// The server does not need them, so they are not part of the schemas.

const isSchema = (value: unknown): value is z.ZodMiniType =>
  typeof value === 'object' && value !== null && '_zod' in value;

/**
 * Adds the description to a copy of the schema, because the same schema may also be used for
 * another field.
 */
const describe = (value: unknown, description: string): unknown => {
  if (!isSchema(value)) return value;
  const copy = value.clone(value._zod.def);
  return copy.register(z.globalRegistry, { description });
};
const name = 'describeField';
Object.assign(globalThis, { [name]: describe });

/** Returns a comment as one line, without references into this repository. */
const wordsOf = (comment: string): string =>
  comment
    .replaceAll(/^\s*\*+/gm, ' ')
    .replaceAll(/\s*\((?:see |decision |docs\/|[^()]*\.ts\b)[^()]*\)/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim();

interface Node {
  type?: string;
  start: number;
  end: number;
  value?: Node;
}

const propertiesOf = (node: unknown): Node[] => {
  if (typeof node !== 'object' || node === null) return [];
  const inner = Object.values(node).flatMap((part) => propertiesOf(part));
  return (node as Node).type === 'Property' ? [node as Node, ...inner] : inner;
};

/**
 * Returns the source of a file in which `describeField(…)` encloses each property's value that has
 * a comment.
 */
export const describeFields = (source: string, file: string): string => {
  const { program, comments } = parseSync(file, source);
  const edits = propertiesOf(program).flatMap(({ start, value }) => {
    const comment = comments.find(
      ({ type, value: text, end }) =>
        type === 'Block' &&
        text.startsWith('*') &&
        end <= start &&
        source.slice(end, start).trim() === '',
    );
    if (!comment || !value || value.start === start) return [];
    const words = JSON.stringify(wordsOf(comment.value));
    return [
      { at: value.end, text: `, ${words})` },
      { at: value.start, text: `globalThis.${name}(` },
    ];
  });
  return edits
    .toSorted((a, b) => b.at - a.at)
    .reduce((text, { at, text: added }) => text.slice(0, at) + added + text.slice(at), source);
};

/** Adds the comments on fields to schemas that are imported after this call. */
export const describeSchemas = (): void => {
  registerHooks({
    load: (url, context, next) => {
      const loaded = next(url, context);
      if (!/\/contract\/src\/.*\.schema\.ts$/.test(url) || !loaded.source) return loaded;
      const source = Buffer.from(loaded.source as Uint8Array).toString();
      return { ...loaded, source: describeFields(source, url) };
    },
  });
};
