import { create } from 'zustand';
import { printDrivers, sheetPlaces } from '@waystation/contract/parcels/print.ts';
import type { PrintDriver } from '@waystation/contract/parcels/print.ts';
import {
  mostDarkness,
  mostLabelOffset,
  mostTsplDarkness,
} from '@waystation/contract/base/limits.ts';
import { local, readJson } from '#base/storage.ts';
import { papersOf } from './labels.ts';
import type { LabelFormat } from './labels.ts';

/**
 * The settings with which this computer prints labels. They are the same for every user
 * (requirements §10.15.14).
 */
export interface Workstation {
  driver: PrintDriver;
  /** The name of the print component's printer; empty for its default printer. */
  printer: string;
  format: LabelFormat;
  /** The position of the next label on a partly used A4 page. */
  start: number;
  /** True if PDFs are printed as one file per parcel, in an archive. */
  separate: boolean;
  /**
   * The offset to the right in dots of 1/8 mm; `offset_y` is the offset downwards. PDF labels
   * ignore both.
   */
  offset_x: number;
  offset_y: number;
  /** The darkness for ZPL and TSPL. If it is null, the setting of the printer applies. */
  darkness: number | null;
  /** How ZPL and TSPL are sent: to a serial port, or as a file to download. */
  port: 'file' | 'serial';
  /** True if a label is printed without a key press as soon as the parcel has a waybill number. */
  auto: boolean;
}

const key = 'waystation-workstation';
export const usual: Workstation = {
  driver: 'pdf',
  printer: '',
  format: '76x130',
  start: 1,
  separate: false,
  offset_x: 0,
  offset_y: 0,
  darkness: null,
  port: 'file',
  auto: false,
};

const within = (value: unknown, low: number, high: number): number | null =>
  typeof value === 'number' && Number.isInteger(value) && value >= low && value <= high
    ? value
    : null;

/** The maximum darkness of printers that use this print method. */
export const darknessOf = (driver: PrintDriver): number =>
  driver === 'tspl' ? mostTsplDarkness : mostDarkness;

/**
 * Reads the stored printer settings field by field. A field with an unknown value, for example from
 * an older version, gets its default.
 */
export const workstationFrom = (stored: unknown): Workstation => {
  const {
    driver: named,
    printer,
    format,
    start,
    separate,
    offset_x,
    offset_y,
    darkness,
    port,
    auto,
  } = (stored ?? {}) as Partial<Workstation>;
  const driver = Object.keys(printDrivers).includes(String(named)) ? named! : usual.driver;
  return {
    driver,
    printer: typeof printer === 'string' ? printer : usual.printer,
    format: papersOf(driver).find((each) => each === format) ?? usual.format,
    start: within(start, 1, sheetPlaces) ?? 1,
    separate: separate === true,
    offset_x: within(offset_x, -mostLabelOffset, mostLabelOffset) ?? 0,
    offset_y: within(offset_y, -mostLabelOffset, mostLabelOffset) ?? 0,
    darkness: within(darkness, 0, darknessOf(driver)),
    port: port === 'serial' ? 'serial' : 'file',
    auto: auto === true,
  };
};

export const useWorkstation = create<Workstation>(() => workstationFrom(readJson(local, key)));

export const setWorkstation = (changes: Partial<Workstation>): void => {
  useWorkstation.setState(changes);
  local.write(key, JSON.stringify(useWorkstation.getState()));
};

/**
 * Applies the printer settings that another browser window has stored. All windows then print in
 * the same way.
 */
export const followWorkstation = (): (() => void) => {
  const onStorage = (event: StorageEvent): void => {
    if (event.key === key) useWorkstation.setState(workstationFrom(readJson(local, key)), true);
  };
  window.addEventListener('storage', onStorage);
  return () => window.removeEventListener('storage', onStorage);
};

/** True if labels are printed without a dialog, because a dialog would take the focus. */
export const isSilent = ({ driver, port }: Workstation): boolean =>
  driver === 'component' || (driver !== 'pdf' && port === 'serial');

/** True if the label of each new order is printed automatically. */
export const printsAlone = (): boolean => {
  const workstation = useWorkstation.getState();
  return workstation.auto && isSilent(workstation);
};

/** True if several labels are printed on each A4 page. The first page may be partly used. */
export const isOnSheets = ({ driver, format, separate }: Workstation): boolean =>
  driver === 'pdf' && format === 'a4' && !separate;
