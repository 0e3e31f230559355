import { create } from 'zustand';
import { serialOf } from '#base/serial.ts';
import type { SerialPort } from '#base/serial.ts';
import { printerPort } from '#printing/drivers/zpl-port.ts';
import { noWeight, weightReader } from './scale-frames.ts';
import type { Weight } from './scale-frames.ts';

/** The factory setting of scales for the baud rate. They use eight bits and no parity. */
const baudRate = 9_600;

interface Scale {
  /**
   * `absent`: the browser has no Web Serial, or the URL is not secure. `lost`: the scale was
   * unplugged, or another program uses its port.
   */
  state: 'absent' | 'off' | 'connecting' | 'on' | 'lost';
  weight: Weight;
}

export const useScale = create<Scale>(() => ({ state: 'off', weight: noWeight }));

let stop: (() => Promise<void>) | null = null;

/** Reads weights until the port is closed or `disconnectScale` is called. */
const follow = async (port: SerialPort): Promise<void> => {
  await port.open({ baudRate });
  const reader = port.readable!.getReader();
  stop = () => reader.cancel().catch(() => undefined);
  useScale.setState({ state: 'on', weight: noWeight });
  const decoder = new TextDecoder('latin1');
  const read = weightReader();
  try {
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
      const weight = read(decoder.decode(piece.value, { stream: true }));
      const { grams, no, stable } = useScale.getState().weight;
      if (weight.grams !== grams || weight.no !== no || weight.stable !== stable)
        useScale.setState({ weight });
    }
  } finally {
    reader.releaseLock();
    await port.close().catch(() => undefined);
  }
};

const followed = async (port: SerialPort): Promise<void> => {
  useScale.setState({ state: 'connecting', weight: noWeight });
  const failed = await follow(port).then(
    () => false,
    () => true,
  );
  const wasStopped = stop === null;
  stop = null;
  useScale.setState({ state: failed || !wasStopped ? 'lost' : 'off', weight: noWeight });
};

/**
 * Asks the user for the port of the scale. The browser allows this only after a key press or a
 * click.
 */
export const connectScale = async (): Promise<void> => {
  const serial = serialOf();
  if (serial === null) return useScale.setState({ state: 'absent' });
  const { state } = useScale.getState();
  if (state === 'on' || state === 'connecting') return;
  const port = await serial.requestPort().catch(() => null);
  if (port !== null) void followed(port);
};

/** Connects the scale through the port that the user chose before. */
export const reconnectScale = async (): Promise<void> => {
  const serial = serialOf();
  if (serial === null) return useScale.setState({ state: 'absent' });
  const ports = await serial.getPorts().catch(() => []);
  const printer = await printerPort();
  const port = ports.find((each) => each !== printer);
  if (port !== undefined && useScale.getState().state === 'off') void followed(port);
};

export const disconnectScale = async (): Promise<void> => {
  const ending = stop;
  stop = null;
  await ending?.();
};
