import { createContext, useContext } from 'react';

/**
 * True if the surrounding row is the current row. Only the current row's controls are tab stops,
 * because a page of rows would have hundreds of tab stops.
 */
export const RowTabContext = createContext(true);

/**
 * The `tabIndex` of a control in a table cell; outside a table a control can always be reached by
 * Tab.
 */
export const useRowTab = (): 0 | -1 => (useContext(RowTabContext) ? 0 : -1);
