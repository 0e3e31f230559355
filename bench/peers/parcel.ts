/** The fields of a parcel in the list, as this product's server returns them. */
export interface Parcel {
  id: number;
  delivery_id: string | null;
  order_id: string;
  state_code: number;
  state_txt: string;
  receive_name: string;
  receive_phone: string;
  receive_city: string;
  receive_county: string;
  goods: string;
  package_count: number;
  weight: number;
  cal_weight: number | null;
  post_amount: number;
  print_count: number;
  created_at: string;
  station_name: string;
}

export interface Parcels {
  items: Parcel[];
  total: number;
}

const api = new URLSearchParams(window.location.search).get('api') ?? '';

/** Reads a page of parcels. The list of this product reads the same page. */
export const readParcels = async (): Promise<Parcels> => {
  const response = await fetch(`${api}/api/arco/expresses?page=1&page_size=20`);
  return ((await response.json()) as { data: Parcels }).data;
};

export const isLoggedIn = (): boolean => window.localStorage.getItem('token') !== null;

export const kg = (grams: number | null): string =>
  grams === null ? '—' : (grams / 1000).toFixed(2);
export const yuan = (fen: number): string => `¥${(fen / 100).toFixed(2)}`;
export const time = (iso: string): string =>
  new Date(iso).toLocaleString('zh-CN', {
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
  });
export const states = ['全部', '待揽收', '运输中', '派送中', '已签收', '异常', '暂挂', '草稿'];
