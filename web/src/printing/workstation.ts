import { create } from 'zustand';
import { printDrivers } from '@waystation/contract/print.ts';
import type { PrintDriver } from '@waystation/contract/print.ts';
import { mostDarkness, mostLabelOffset } from '@waystation/contract/limits.ts';
import { local, readJson } from '#base/storage.ts';
import { labelFormats } from './labels.ts';
import type { LabelFormat } from './labels.ts';

/** How this computer prints labels, for every account (docs/decisions/0057-printers-of-a-workstation.md). */
export interface Workstation {
  driver: PrintDriver;
  /** The component's printer; empty: its default one. */
  printer: string;
  format: LabelFormat;
  /** Dots (1/8 mm) to the right and down; for the component and ZPL. */
  offset_x: number;
  offset_y: number;
  /** Of ZPL; null: as the printer is set. */
  darkness: number | null;
  /** ZPL goes over a serial port, or is downloaded. */
  port: 'file' | 'serial';
  /** Labels print as soon as their parcel has a waybill, without a key. */
  auto: boolean;
}

const key = 'waystation-workstation';
export const usual: Workstation = {
  driver: 'pdf',
  printer: '',
  format: '76x130',
  offset_x: 0,
  offset_y: 0,
  darkness: null,
  port: 'file',
  auto: false,
};

const within = (value: unknown, low: number, high: number): number | null =>
  typeof value === 'number' && Number.isInteger(value) && value >= low && value <= high ? value : null;

/** What was stored, field by field: a field that an older version wrote differently is as usual. */
export const workstationFrom = (stored: unknown): Workstation => {
  const { driver, printer, format, offset_x, offset_y, darkness, port, auto } = (stored ?? {}) as Partial<Workstation>;
  return {
    driver: Object.keys(printDrivers).includes(String(driver)) ? driver! : usual.driver,
    printer: typeof printer === 'string' ? printer : usual.printer,
    format: labelFormats.find((each) => each === format) ?? usual.format,
    offset_x: within(offset_x, -mostLabelOffset, mostLabelOffset) ?? 0,
    offset_y: within(offset_y, -mostLabelOffset, mostLabelOffset) ?? 0,
    darkness: within(darkness, 0, mostDarkness),
    port: port === 'serial' ? 'serial' : 'file',
    auto: auto === true,
  };
};

export const useWorkstation = create<Workstation>(() => workstationFrom(readJson(local, key)));

export const setWorkstation = (changes: Partial<Workstation>): void => {
  useWorkstation.setState(changes);
  local.write(key, JSON.stringify(useWorkstation.getState()));
};

/** Takes over what another window of this computer stored: both print alike. */
export const followWorkstation = (): (() => void) => {
  const onStorage = (event: StorageEvent): void => {
    if (event.key === key) useWorkstation.setState(workstationFrom(readJson(local, key)), true);
  };
  window.addEventListener('storage', onStorage);
  return () => window.removeEventListener('storage', onStorage);
};

/** Labels come out of the printer without a dialog that takes the focus. */
export const isSilent = ({ driver, port }: Workstation): boolean => driver === 'component' || (driver === 'zpl' && port === 'serial');

/** Whether each new order prints its label without a key. */
export const printsAlone = (): boolean => {
  const workstation = useWorkstation.getState();
  return workstation.auto && isSilent(workstation);
};
