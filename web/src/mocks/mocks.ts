import type { Envelope } from '@waystation/contract/base/envelope.ts';
import type { MockRequest } from './answer.ts';
import { contentData, popularList } from './content.ts';
import { createMessages } from './messages.ts';
import { info, login, logout, menu } from './user.ts';

export type Mock = (request: MockRequest) => Envelope<unknown>;

/**
 * The endpoints of the template (requirements §7), as a map from method and path to a mock. Each
 * call of this function creates new messages.
 */
export const createMocks = (): ReadonlyMap<string, Mock> => {
  const messages = createMessages();
  return new Map<string, Mock>([
    ['POST /api/user/info', info],
    ['POST /api/user/login', login],
    ['POST /api/user/logout', logout],
    ['POST /api/user/menu', menu],
    ['POST /api/message/list', messages.list],
    ['GET /api/message/list', messages.list],
    ['POST /api/message/read', messages.read],
    ['GET /api/content-data', contentData],
    ['GET /api/popular/list', popularList],
  ]);
};
