import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { openStream, sealStream } from './sealed.ts';

const key = randomBytes(32);
const content = Buffer.concat([randomBytes(700_000), Buffer.from('the end')]);

const pieces = async function* (bytes: Buffer, size = 50_000): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
};
const all = async (source: AsyncIterable<Buffer>): Promise<Buffer> => {
  const read: Buffer[] = [];
  for await (const piece of source) read.push(piece);
  return Buffer.concat(read);
};
const sealed = (by: Buffer | null): Promise<Buffer> => all(sealStream(by)(pieces(content)));
const opened = (bytes: Buffer, by: Buffer | null): Promise<Buffer> =>
  all(openStream(by)(pieces(bytes)));

describe.each([
  ['encrypted', key],
  ['plain', null],
])('a sealed stream, %s', (name, by) => {
  it(`a ${name} sealed stream opens to its original content, also if that content is empty`, async () => {
    expect((await opened(await sealed(by), by)).equals(content)).toBe(true);
    expect(await opened(await all(sealStream(by)(pieces(Buffer.alloc(0)))), by)).toHaveLength(0);
  });

  it(`a ${name} sealed stream is refused if any of its bytes is changed`, async () => {
    const bytes = await sealed(by);
    const places = [0, 8, 9, 12, 26, 29, 30, 5_000, 262_175, bytes.length - 20, bytes.length - 1];
    for (const at of places) {
      const changed = Buffer.from(bytes);
      changed[at]! ^= 1;
      await expect(opened(changed, by), `byte ${at}`).rejects.toThrow(
        /altered|cut off|not a backup|format|key|encrypted/,
      );
    }
  });

  it(`a ${name} sealed stream is refused if its end is missing, or something follows it`, async () => {
    const bytes = await sealed(by);
    for (const length of [0, 10, 26, 28, 1_000, 262_190, bytes.length - 1])
      await expect(opened(bytes.subarray(0, length), by), `${length} bytes`).rejects.toThrow(
        /cut off|not a backup/,
      );
    await expect(opened(Buffer.concat([bytes, Buffer.of(0)]), by)).rejects.toThrow('altered');
  });
});

describe('the key of a sealed stream', () => {
  it('an encrypted stream does not contain its readable content, and only its own key opens it', async () => {
    const bytes = await sealed(key);
    expect(bytes.includes('the end')).toBe(false);
    await expect(opened(bytes, randomBytes(32))).rejects.toThrow('The key is not the one');
    await expect(opened(bytes, null)).rejects.toThrow('set WAYSTATION_BACKUP_KEY');
  });

  it('a stream without encryption is refused if a key is set, because anybody could have written it', async () => {
    await expect(opened(await sealed(null), key)).rejects.toThrow('not encrypted');
  });

  it('an encrypted stream with two swapped chunks is refused', async () => {
    const bytes = await sealed(key);
    const chunk = (at: number): [number, number] => {
      let start = 26;
      for (let no = 0; no < at; no++) start += 4 + (bytes.readUInt32BE(start) & 0x7fff_ffff) + 16;
      return [start, start + 4 + (bytes.readUInt32BE(start) & 0x7fff_ffff) + 16];
    };
    const [[a, b], [c, d]] = [chunk(0), chunk(1)];
    const swapped = Buffer.concat([
      bytes.subarray(0, a),
      bytes.subarray(c, d),
      bytes.subarray(a, b),
      bytes.subarray(d),
    ]);
    await expect(opened(swapped, key)).rejects.toThrow(/altered/);
  });
});
