/** The decoder for the encoding of a content type; null if the encoding is unknown. */
const decoderOf = (label: string): TextDecoder | null => {
  try {
    return new TextDecoder(label, { fatal: true });
  } catch {
    return null;
  }
};

const named = (contentType: string): string =>
  /charset\s*=\s*"?([\w.:-]{1,40})/i.exec(contentType)?.[1]?.toLowerCase() ?? '';

const decoded = (bytes: Uint8Array, label: string): string | null => {
  try {
    return decoderOf(label)?.decode(bytes) ?? null;
  } catch {
    return null;
  }
};

/**
 * Decodes the bytes of a carrier's answer. Valid UTF-8 is read as UTF-8, because Chinese text in
 * GBK is hardly ever valid UTF-8. Other bytes are read in the encoding of the content type, or else
 * as GB18030, which contains GBK and GB2312. Never throws: if the bytes are invalid in all of
 * these, the part that UTF-8 can read is kept.
 */
export const carrierText = (bytes: Uint8Array, contentType = ''): string => {
  for (const label of ['utf-8', named(contentType), 'gb18030']) {
    const text = decoded(bytes, label);
    if (text !== null) return text;
  }
  return new TextDecoder().decode(bytes);
};
