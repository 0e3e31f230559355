import { createContext, useContext } from 'react';

/** Whether the row around is the one the keyboard stands on: only its controls are stops of Tab, or a page of rows would hold hundreds. */
export const RowTabContext = createContext(true);

/** The `tabIndex` of a control in a cell; outside tables an ordinary stop. */
export const useRowTab = (): 0 | -1 => (useContext(RowTabContext) ? 0 : -1);
