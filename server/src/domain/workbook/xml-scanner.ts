import { UnreadableFile } from './limits.ts';

/**
 * Functions that the scanner calls. Names come without their namespace prefix; attributes and text
 * come unchanged.
 */
export interface XmlHandlers {
  open(name: string, attributes: string): void;
  close(name: string): void;
  text(raw: string): void;
}

export interface XmlScanner {
  write(piece: string): void;
}

const localName = (name: string): string => name.slice(name.indexOf(':') + 1);

/**
 * The end of the XML construct that begins with `<` at `from`; -1 if the construct is incomplete in
 * this text.
 */
const endOf = (text: string, from: number): number => {
  const after = (mark: string, start: number): number => {
    const at = text.indexOf(mark, start);
    return at < 0 ? -1 : at + mark.length;
  };
  const kind = text.charCodeAt(from + 1);
  if (kind === 33) {
    if (text.length - from < 9) return -1;
    if (text.startsWith('<!--', from)) return after('-->', from + 4);
    if (text.startsWith('<![CDATA[', from)) return after(']]>', from + 9);
    return after('>', from);
  }
  if (kind === 63) return after('?>', from);
  let quote = 0;
  for (let at = from + 1; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (quote !== 0) {
      if (code === quote) quote = 0;
    } else if (code === 34 || code === 39) quote = code;
    else if (code === 62) return at + 1;
  }
  return -1;
};

const report = (text: string, from: number, end: number, handlers: XmlHandlers): void => {
  const kind = text.charCodeAt(from + 1);
  if (kind === 33 && text.startsWith('<![CDATA[', from))
    return handlers.text(text.slice(from + 9, end - 3).replaceAll('&', '&amp;'));
  if (kind === 33 || kind === 63) return;
  if (kind === 47) return handlers.close(localName(text.slice(from + 2, end - 1).trim()));
  const empty = text.charCodeAt(end - 2) === 47;
  const content = text.slice(from + 1, empty ? end - 2 : end - 1);
  const space = content.search(/\s/);
  const name = localName(space < 0 ? content : content.slice(0, space));
  handlers.open(name, space < 0 ? '' : content.slice(space));
  if (empty) handlers.close(name);
};

/**
 * Reads XML piece by piece. It keeps only an incomplete tag in memory, at most `longest`
 * characters. It supports only the five entities of XML itself.
 */
export const createXmlScanner = (handlers: XmlHandlers, longest: number): XmlScanner => {
  let rest = '';
  return {
    write: (piece) => {
      const text = rest + piece;
      let at = 0;
      for (;;) {
        const tag = text.indexOf('<', at);
        if (tag !== at && at < text.length)
          handlers.text(text.slice(at, tag < 0 ? text.length : tag));
        if (tag < 0) {
          rest = '';
          return;
        }
        const end = endOf(text, tag);
        if (end < 0) {
          rest = text.slice(tag);
          if (rest.length > longest) throw new UnreadableFile('file_cell', { limit: longest });
          return;
        }
        report(text, tag, end, handlers);
        at = end;
      }
    },
  };
};

const named: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/**
 * Decodes the five entities of XML and numeric character references in a text. Any other entity
 * remains unchanged.
 */
export const decodeXml = (raw: string): string =>
  raw.includes('&')
    ? raw.replaceAll(
        /&(?:#x([\da-f]{1,6})|#(\d{1,7})|([a-z]+));/gi,
        (whole, hex?: string, decimal?: string, name?: string) => {
          if (name !== undefined) return named[name] ?? whole;
          const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
          return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
        },
      )
    : raw;

const isSpace = (code: number): boolean => code === 32 || (code >= 9 && code <= 13);
const lastWord = (text: string): string => {
  let at = text.length;
  while (at > 0 && !isSpace(text.charCodeAt(at - 1))) at--;
  return text.slice(at);
};

/**
 * The attributes of a tag. Any text other than `name="value"` is ignored. Each character is read
 * only once, so that the time stays linear.
 */
export const attributesOf = (raw: string): Record<string, string> => {
  const found: Record<string, string> = {};
  for (let at = 0; ;) {
    const equals = raw.indexOf('=', at);
    if (equals < 0) return found;
    const name = raw.slice(at, equals).trimEnd();
    let start = equals + 1;
    while (isSpace(raw.charCodeAt(start))) start++;
    const quote = raw[start];
    const end = quote === '"' || quote === "'" ? raw.indexOf(quote, start + 1) : -1;
    if (end >= 0) found[localName(lastWord(name))] = decodeXml(raw.slice(start + 1, end));
    else if (quote === '"' || quote === "'") return found;
    at = end < 0 ? start : end + 1;
  }
};
