/** The fields of a parcel that printing needs. */
export interface Printable {
  id: number;
  delivery_id: string | null;
  order_id: string;
  print_count: number;
}
