import { serialOf } from '#base/serial.ts';
import type { SerialPort } from '#base/serial.ts';
import { local, readJson } from '#base/storage.ts';

const key = 'waystation-zpl-port';
/** The factory setting of label printers for the baud rate. A USB port ignores it. */
const baudRate = 9_600;

const isSame = (port: SerialPort, stored: unknown): boolean =>
  JSON.stringify(port.getInfo()) === JSON.stringify(stored);

/** The port that the user chose for the label printer; null if the printer is not connected. */
export const printerPort = async (): Promise<SerialPort | null> => {
  const stored = readJson(local, key);
  if (stored === null) return null;
  const ports =
    (await serialOf()
      ?.getPorts()
      .catch(() => [])) ?? [];
  return ports.find((port) => isSame(port, stored)) ?? null;
};

/**
 * Asks the user to choose the printer's port. The browser permits this only after a key press or a
 * click. Returns false if no port was chosen.
 */
export const choosePrinterPort = async (): Promise<boolean> => {
  const port = await serialOf()
    ?.requestPort()
    .catch(() => null);
  if (!port) return false;
  local.write(key, JSON.stringify(port.getInfo()));
  return true;
};

/**
 * Writes bytes to the printer. Rejects if the printer is disconnected or in use by another program.
 */
export const writeToPrinter = async (port: SerialPort, bytes: Uint8Array): Promise<void> => {
  await port.open({ baudRate });
  try {
    const writer = port.writable!.getWriter();
    try {
      await writer.write(bytes);
    } finally {
      writer.releaseLock();
    }
  } finally {
    await port.close().catch(() => undefined);
  }
};
