/**
 * The part of the Web Serial API that scales and label printers need. Only few browsers support
 * this API.
 */
export interface SerialPort {
  readable: ReadableStream<Uint8Array> | null;
  writable: WritableStream<Uint8Array> | null;
  open: (options: { baudRate: number }) => Promise<void>;
  close: () => Promise<void>;
  getInfo: () => { usbVendorId?: number; usbProductId?: number };
}
export interface Serial {
  requestPort: () => Promise<SerialPort>;
  getPorts: () => Promise<SerialPort[]>;
}

/**
 * The browser's Web Serial API; null if the browser does not have it or if the page's URL is not
 * secure.
 */
export const serialOf = (): Serial | null =>
  (navigator as Navigator & { serial?: Serial }).serial ?? null;
