import { serialOf } from '#base/serial.ts';
import type { SerialPort } from '#base/serial.ts';
import { local, readJson } from '#base/storage.ts';

const key = 'waystation-zpl-port';
/** As label printers are set when they are sold; a USB port ignores it. */
const baudRate = 9_600;

const isSame = (port: SerialPort, stored: unknown): boolean => JSON.stringify(port.getInfo()) === JSON.stringify(stored);

/** The port that was chosen for the label printer, if it is plugged in. */
export const printerPort = async (): Promise<SerialPort | null> => {
  const stored = readJson(local, key);
  if (stored === null) return null;
  const ports =
    (await serialOf()
      ?.getPorts()
      .catch(() => [])) ?? [];
  return ports.find((port) => isSame(port, stored)) ?? null;
};

/** Lets the person choose the printer's port; a browser allows that only after a key or a click. False: none was chosen. */
export const choosePrinterPort = async (): Promise<boolean> => {
  const port = await serialOf()
    ?.requestPort()
    .catch(() => null);
  if (!port) return false;
  local.write(key, JSON.stringify(port.getInfo()));
  return true;
};

/** Writes to the printer; rejects where it is unplugged or taken by another program. */
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
