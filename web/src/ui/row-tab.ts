import { createContext, useContext } from 'react';

/**
 * Whether the surrounding row is current. Only the current row's controls are tab stops, because a
 * page of rows would have hundreds.
 */
export const RowTabContext = createContext(true);

/**
 * The `tabIndex` of a control in a table cell; outside a table a control can always be reached by
 * Tab.
 */
export const useRowTab = (): 0 | -1 => (useContext(RowTabContext) ? 0 : -1);
