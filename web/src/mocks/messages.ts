import type { Envelope } from '@waystation/contract/base/envelope.ts';
import { failed, succeeded } from './answer.ts';
import type { MockRequest } from './answer.ts';

interface Message {
  id: number;
  type: 'message' | 'notice' | 'todo';
  title: string;
  content: string;
  /** The time in ISO 8601. */
  time: string;
  /** 0 if unread, 1 if read (requirements §4). */
  status: 0 | 1;
}

const hour = 3_600_000;

/** The messages when the mocks start. Each was sent `hours` hours earlier. */
const first = [
  {
    id: 1,
    type: 'message',
    hours: 0.5,
    title: '客户留言',
    content: '请把面单改成大号的再打印一次。',
  },
  { id: 2, type: 'message', hours: 2, title: '站点留言', content: '今天的揽收改到下午四点。' },
  {
    id: 3,
    type: 'message',
    hours: 5,
    title: '客户留言',
    content: '收件电话写错了一位，麻烦改一下。',
  },
  { id: 4, type: 'notice', hours: 9, title: '余额提醒', content: '可用余额不足 200 元。' },
  { id: 5, type: 'notice', hours: 26, title: '模板更新', content: '东北方向的运费模板明天生效。' },
  { id: 6, type: 'todo', hours: 30, title: '核对账单', content: '上月账单有三处重量差待确认。' },
] as const;

export interface Messages {
  list: (request: MockRequest) => Envelope<Message[]>;
  read: (request: MockRequest) => Envelope<true | null>;
}

/**
 * The six messages that one page has loaded. After a message was read, it stays read until the page
 * is reloaded.
 */
export const createMessages = (): Messages => {
  const read = new Set<number>();
  return {
    list: ({ now }) =>
      succeeded(
        first.map(({ hours, ...message }) => ({
          ...message,
          time: new Date(now.getTime() - hours * hour).toISOString(),
          status: read.has(message.id) ? 1 : 0,
        })),
      ),
    read: ({ body: { ids } }) => {
      if (!Array.isArray(ids) || ids.some((id) => typeof id !== 'number'))
        return failed('ids must be an array of numbers');
      for (const id of ids as number[]) read.add(id);
      return succeeded(true);
    },
  };
};
