/** The URL of the carrier's print component on this computer. */
const address = 'ws://localhost:9113';
/** Milliseconds without a connection after which the component counts as not installed. */
const openWithin = 2_000;
/**
 * Milliseconds to wait for the response to one message, because a printer without paper answers
 * late or never.
 */
const answerWithin = 30_000;

export interface ComponentAnswer {
  ok: boolean;
  /** The text in the response of the print component, such as an error text. */
  message: string;
  content: unknown;
}

export interface PrintComponent {
  ask(orderType: 'PRINT' | 'GET_Printers', parameters?: object): Promise<ComponentAnswer>;
  /** Returns false if the connection to the print component is closed. */
  isOpen(): boolean;
  close(): void;
}

/** Thrown if the print component is not running or has ended. */
export class ComponentGone extends Error {}
/**
 * Thrown if the print component did not respond in time. It is then unknown whether the label was
 * printed.
 */
export class ComponentSilent extends Error {}

const fieldsOf = (text: unknown): Record<string, unknown> => {
  try {
    const value: unknown = JSON.parse(String(text));
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
};

/**
 * Reads a response of the print component, whose format is not documented. If the response has the
 * field `success`, this field decides whether the command succeeded. Otherwise code 1 means success
 * (requirements §10.15.14).
 */
export const readAnswer = (fields: Record<string, unknown>): ComponentAnswer => {
  const { success, code, message, msg, content } = fields;
  const ok =
    success === undefined || success === null ? String(code) === '1' : String(success) === 'true';
  return {
    ok,
    message: typeof message === 'string' ? message : typeof msg === 'string' ? msg : '',
    content,
  };
};

/**
 * Reads the names of printers. The content is a list of names, a list of objects with a name, or
 * such a list as JSON text.
 */
export const printersIn = (content: unknown): string[] => {
  if (typeof content === 'string') {
    const list: unknown = (() => {
      try {
        return JSON.parse(content);
      } catch {
        return [];
      }
    })();
    return Array.isArray(list) ? printersIn(list) : [];
  }
  if (!Array.isArray(content)) return [];
  return content
    .map((each: unknown) =>
      typeof each === 'string' ? each : String((each as { name?: unknown } | null)?.name ?? ''),
    )
    .filter((name) => name !== '');
};

/** Connects to the print component; rejects with `ComponentGone` if it is not running. */
export const openComponent = (): Promise<PrintComponent> =>
  new Promise((resolve, reject) => {
    const socket = new WebSocket(address);
    const waiting = new Map<
      string,
      { done: (answer: ComponentAnswer) => void; lost: (error: Error) => void }
    >();
    const timer = setTimeout(() => socket.close(), openWithin);
    const end = (): void => {
      clearTimeout(timer);
      const gone = new ComponentGone();
      reject(gone);
      for (const { lost } of waiting.values()) lost(gone);
      waiting.clear();
    };
    socket.addEventListener('close', end);
    socket.addEventListener('message', ({ data }) => {
      const fields = fieldsOf(data);
      waiting.get(String(fields['key']))?.done(readAnswer(fields));
    });
    let no = 0;
    const ask: PrintComponent['ask'] = (orderType, parameters) =>
      new Promise((done, lost) => {
        if (socket.readyState !== WebSocket.OPEN) return lost(new ComponentGone());
        const key = `${Date.now()}-${++no}`;
        const late = setTimeout(() => {
          waiting.delete(key);
          lost(new ComponentSilent());
        }, answerWithin);
        const settle = (): void => {
          clearTimeout(late);
          waiting.delete(key);
        };
        waiting.set(key, {
          done: (answer) => {
            settle();
            done(answer);
          },
          lost: (error) => {
            settle();
            lost(error);
          },
        });
        socket.send(JSON.stringify({ orderType, key, ...(parameters && { parameters }) }));
      });
    socket.addEventListener('open', () => {
      clearTimeout(timer);
      resolve({
        ask,
        isOpen: () => socket.readyState === WebSocket.OPEN,
        close: () => socket.close(),
      });
    });
  });

/** The printers of this computer; null if the print component is not running. */
export const componentPrinters = async (): Promise<string[] | null> => {
  try {
    const component = await openComponent();
    const { content } = await component.ask('GET_Printers').finally(() => component.close());
    return printersIn(content);
  } catch {
    return null;
  }
};
