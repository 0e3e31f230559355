import { crc32, deflateRawSync } from 'node:zlib';

interface ZipShape {
  /** True if the entries of the archive are not compressed. */
  stored?: boolean;
  /** True if the sizes are written after each entry of the archive and are zero before it. */
  descriptors?: boolean;
  /**
   * True if sizes, positions and the number of entries are written as ZIP64 records, which are
   * intended for large archives.
   */
  large?: boolean;
  /** Bytes that are written before the first entry of the archive. */
  before?: Buffer;
  comment?: string;
}

const bytesOf = (...parts: readonly (readonly [value: number, bytes: 2 | 4 | 8])[]): Buffer =>
  Buffer.concat(
    parts.map(([value, bytes]) => {
      const buffer = Buffer.alloc(bytes);
      if (bytes === 8) buffer.writeBigUInt64LE(BigInt(value));
      else buffer.writeUIntLE(value, 0, bytes);
      return buffer;
    }),
  );

const unknown = 0xffff_ffff;

const directoryOf = (
  name: Buffer,
  {
    flags,
    method,
    crc,
    size,
    content,
    at,
    large,
  }: Record<'flags' | 'method' | 'crc' | 'size' | 'content' | 'at', number> & { large: boolean },
): Buffer => {
  const extra = large
    ? bytesOf([1, 2], [24, 2], [content, 8], [size, 8], [at, 8])
    : Buffer.alloc(0);
  const [shownSize, shownContent, shownAt] = large
    ? [unknown, unknown, unknown]
    : [size, content, at];
  const head = bytesOf(
    [0x02014b50, 4],
    [45, 2],
    [45, 2],
    [flags, 2],
    [method, 2],
    [0, 4],
    [crc, 4],
    [shownSize, 4],
    [shownContent, 4],
    [name.length, 2],
    [extra.length, 2],
  );
  return Buffer.concat([head, bytesOf([0, 2], [0, 2], [0, 2], [0, 4], [shownAt, 4]), name, extra]);
};

const endOf = ({
  count,
  size,
  at,
  large,
  comment,
}: {
  count: number;
  size: number;
  at: number;
  large: boolean;
  comment: Buffer;
}): Buffer => {
  const end = bytesOf(
    [0x06054b50, 4],
    [0, 4],
    [large ? 0xffff : count, 2],
    [large ? 0xffff : count, 2],
    [large ? unknown : size, 4],
    [large ? unknown : at, 4],
    [comment.length, 2],
  );
  if (!large) return Buffer.concat([end, comment]);
  const record = bytesOf(
    [0x06064b50, 4],
    [44, 8],
    [45, 2],
    [45, 2],
    [0, 8],
    [count, 8],
    [count, 8],
    [size, 8],
    [at, 8],
  );
  return Buffer.concat([
    record,
    bytesOf([0x07064b50, 4], [0, 4], [at + size, 8], [1, 4]),
    end,
    comment,
  ]);
};

/** Makes a ZIP archive in a variant of the format that other programs write. */
export const shapedZip = (
  entries: Record<string, Buffer>,
  {
    stored = false,
    descriptors = false,
    large = false,
    before = Buffer.alloc(0),
    comment = '',
  }: ZipShape,
): Buffer => {
  const pieces: Buffer[] = [before];
  const directory: Buffer[] = [];
  let at = before.length;
  for (const [text, content] of Object.entries(entries)) {
    const name = Buffer.from(text);
    const body = stored ? content : deflateRawSync(content);
    const [crc, size, flags, method] = [
      crc32(content),
      body.length,
      0x0800 | (descriptors ? 8 : 0),
      stored ? 0 : 8,
    ];
    const [localCrc, localSize, localContent] = descriptors
      ? [0, 0, 0]
      : [crc, size, content.length];
    const extra = large
      ? bytesOf([1, 2], [16, 2], [content.length, 8], [size, 8])
      : Buffer.alloc(0);
    const sizes = large
      ? bytesOf([localCrc, 4], [unknown, 4], [unknown, 4])
      : bytesOf([localCrc, 4], [localSize, 4], [localContent, 4]);
    const local = Buffer.concat([
      bytesOf([0x04034b50, 4], [45, 2], [flags, 2], [method, 2], [0, 4]),
      sizes,
      bytesOf([name.length, 2], [extra.length, 2]),
      name,
      extra,
    ]);
    const after = descriptors
      ? bytesOf([0x08074b50, 4], [crc, 4], [size, 4], [content.length, 4])
      : Buffer.alloc(0);
    directory.push(
      directoryOf(name, { flags, method, crc, size, content: content.length, at, large }),
    );
    pieces.push(local, body, after);
    at += local.length + body.length + after.length;
  }
  const all = Buffer.concat(directory);
  return Buffer.concat([
    ...pieces,
    all,
    endOf({ count: directory.length, size: all.length, at, large, comment: Buffer.from(comment) }),
  ]);
};
