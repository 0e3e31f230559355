import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startPrintComponent } from './print-component.ts';
import type { PrintComponent } from './print-component.ts';

let component: PrintComponent;
let socket: WebSocket;
beforeEach(async () => {
  component = await startPrintComponent({ port: 0 });
  socket = new WebSocket(component.url);
  await new Promise((resolve) => socket.addEventListener('open', resolve, { once: true }));
});
afterEach(async () => {
  socket.close();
  await component.close();
});

const ask = (message: unknown): Promise<object> =>
  new Promise((resolve) => {
    socket.addEventListener('message', ({ data }) => resolve(JSON.parse(String(data)) as object), {
      once: true,
    });
    socket.send(typeof message === 'string' ? message : JSON.stringify(message));
  });
const label = (change: object = {}) => ({
  orderType: 'PRINT',
  key: 'k1',
  parameters: {
    printName: '示例打印机 A',
    tempUrl: 'https://carrier.example/t',
    printData: ['data-1', 'data-2'],
    offsetTop: 1,
    offsetLeft: 2,
    ...change,
  },
});

describe('the simulated print component', () => {
  test('the simulated print component lists its printers', async () => {
    expect(await ask({ orderType: 'GET_Printers', key: 'k0' })).toMatchObject({
      key: 'k0',
      success: true,
      content: ['示例打印机 A', '示例打印机 B'],
    });
  });

  test('the simulated print component prints all pieces of a parcel in one message, in their order', async () => {
    expect(await ask(label())).toMatchObject({
      orderType: 'PRINT',
      key: 'k1',
      code: '1',
      success: true,
    });
    expect(component.printed.map(({ data, offset }) => [data, offset])).toEqual([
      ['data-1', { top: 1, left: 2 }],
      ['data-2', { top: 1, left: 2 }],
    ]);
  });

  test('the simulated print component refuses a label once if the label was chosen to fail, and prints it the second time', async () => {
    component.failNext('k1', '缺纸');
    expect(await ask(label())).toMatchObject({ code: '0', success: false, message: '缺纸' });
    expect(await ask(label())).toMatchObject({ success: true });
  });

  test.each([
    ['an unknown printer', label({ printName: '没有' })],
    ['no layout', label({ tempUrl: '' })],
    ['no data', label({ printData: [] })],
    ['data that are no text', label({ printData: [1] })],
    ['another command', { orderType: 'FORMAT', key: 'k1' }],
    ['a text that is no JSON', '{'],
  ])('the simulated print component refuses %s, and prints nothing', async (_, message) => {
    expect(await ask(message)).toMatchObject({ success: false });
    expect(component.printed).toEqual([]);
  });

  test('the simulated print component prints nothing for a preview', async () => {
    expect(await ask({ ...label(), orderType: 'PRE_View' })).toMatchObject({ success: true });
    expect(component.printed).toEqual([]);
  });
});
