import { expect, it } from 'vitest';
import { eventReader } from './event-text.ts';

it('live events are read completely, wherever the stream is split into chunks', () => {
  const text =
    'id: a\ndata: {"n":1}\n\n: alive\n\nid: b\n\nid: c\ndata: {"n":2}\n\nid: d\ndata: {"n"';
  const events = [
    { id: 'a', data: '{"n":1}' },
    { id: null, data: null },
    { id: 'b', data: null },
    { id: 'c', data: '{"n":2}' },
  ];
  for (let size = 1; size <= text.length; size++) {
    const read = eventReader();
    const pieces = text.match(new RegExp(`[^]{1,${size}}`, 'g'))!;
    expect(pieces.flatMap((piece) => read(piece))).toEqual(events);
  }
});
