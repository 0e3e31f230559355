/** What printing needs to know of a parcel. */
export interface Printable {
  id: number;
  delivery_id: string | null;
  order_id: string;
  print_count: number;
}
