/** A printed label. One message to the print component may contain all pieces of a parcel. */
export interface PrintedLabel {
  key: string;
  printer: string;
  template: string;
  data: string;
  /** Millimetres. */
  offset: { top: number; left: number };
}

export interface ComponentState {
  printers: readonly string[];
  printed: PrintedLabel[];
  failures: { key: string; message: string; times: number }[];
}

export interface ComponentAnswer {
  orderType: string;
  key: string;
  code: '0' | '1';
  success: boolean;
  message: string;
  /** The names of the printers, in the answer to `GET_Printers`. */
  content?: readonly string[];
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
const numberOf = (value: unknown): number => (typeof value === 'number' ? value : 0);

const parsed = (raw: string): Record<string, unknown> => {
  try {
    const value: unknown = JSON.parse(raw);
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
};

const failureOf = (state: ComponentState, key: string): string | null => {
  const failure = state.failures.find(
    (each) => each.times > 0 && (each.key === '*' || each.key === key),
  );
  if (failure === undefined) return null;
  failure.times--;
  return failure.message;
};

/** Returns the answer to one message. `PRE_View` is accepted like a print, but prints nothing. */
export const answerTo = (state: ComponentState, raw: string): ComponentAnswer => {
  const { orderType, key, parameters } = parsed(raw);
  const base = { orderType: textOf(orderType), key: textOf(key) };
  const refused = (message: string): ComponentAnswer => ({
    ...base,
    code: '0',
    success: false,
    message,
  });
  const done = (message: string): ComponentAnswer => ({
    ...base,
    code: '1',
    success: true,
    message,
  });
  if (orderType === 'GET_Printers') return { ...done('成功'), content: state.printers };
  if (orderType !== 'PRINT' && orderType !== 'PRE_View') return refused('不支持的指令');
  const { printName, tempUrl, printData, offsetTop, offsetLeft } = isObject(parameters)
    ? parameters
    : {};
  const printer = textOf(printName) || state.printers[0]!;
  if (!state.printers.includes(printer)) return refused(`打印机不存在：${printer}`);
  if (textOf(tempUrl) === '') return refused('缺少模板地址');
  if (
    !Array.isArray(printData) ||
    printData.length === 0 ||
    printData.some((data) => textOf(data) === '')
  )
    return refused('缺少打印数据');
  const failure = failureOf(state, base.key);
  if (failure !== null) return refused(failure);
  const offset = { top: numberOf(offsetTop), left: numberOf(offsetLeft) };
  if (orderType === 'PRINT')
    for (const data of printData)
      state.printed.push({
        key: base.key,
        printer,
        template: textOf(tempUrl),
        data: textOf(data),
        offset,
      });
  return done('打印成功');
};
