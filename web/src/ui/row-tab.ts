import { createContext, useContext } from 'react';

/**
 * True if the surrounding row is the current row. Only its controls are tab stops. Otherwise a page
 * of rows would have hundreds of tab stops.
 */
export const RowTabContext = createContext(true);

/**
 * The `tabIndex` of a control in a table cell. A control outside a table can always be reached by
 * Tab.
 */
export const useRowTab = (): 0 | -1 => (useContext(RowTabContext) ? 0 : -1);
