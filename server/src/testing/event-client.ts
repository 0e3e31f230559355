import type { LiveEvent, LiveEvents } from '@waystation/contract/shell/events.ts';

/** A client that listens to `GET /api/arco/events` and records the received messages. */
export interface EventClient {
  status: number;
  headers: Headers;
  /** The cursor of the last message that was received. */
  cursor: string | null;
  /** The received messages, unchanged. */
  messages: LiveEvents[];
  events: LiveEvent[];
  /** True after the server ended the stream or the connection was lost. */
  ended: boolean;
  close(): void;
}

const read = async (client: EventClient, body: AsyncIterable<Uint8Array>): Promise<void> => {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of body) {
    text += decoder.decode(chunk, { stream: true });
    const blocks = text.split('\n\n');
    text = blocks.pop()!;
    for (const block of blocks) {
      const fields = new Map(
        block
          .split('\n')
          .map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
      );
      client.cursor = fields.get('id') ?? client.cursor;
      const data = fields.get('data');
      if (data === undefined) continue;
      const message = JSON.parse(data) as LiveEvents;
      client.messages.push(message);
      client.events.push(...message.events);
    }
  }
};

/** Opens a stream of live events, and resolves when the server has answered. */
export const listenTo = async (
  url: string,
  token: string,
  cursor: string | null,
): Promise<EventClient> => {
  const gone = new AbortController();
  const answer = await fetch(url, {
    headers: {
      authorization: `Bearer ${token}`,
      accept: 'text/event-stream',
      ...(cursor !== null && { 'last-event-id': cursor }),
    },
    signal: gone.signal,
  });
  const client: EventClient = {
    status: answer.status,
    headers: answer.headers,
    cursor: null,
    messages: [],
    events: [],
    ended: false,
    close: () => gone.abort(),
  };
  void read(client, answer.body!)
    .catch(() => {})
    .finally(() => (client.ended = true));
  return client;
};
