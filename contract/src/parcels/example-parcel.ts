/**
 * A sample parcel from the demo's Shenzhen station to Shanghai, which the simulator accepts: for
 * tests, benchmarks and checks.
 */
export const exampleParcel = {
  sender_name: '示例深圳南山站',
  sender_phone: '13800001011',
  sender_province: '广东省',
  sender_city: '深圳市',
  sender_county: '南山区',
  sender_address: '示例科技路2号',
  receive_name: '张三',
  receive_phone: '13900000001',
  receive_province: '上海市',
  receive_city: '上海市',
  receive_county: '浦东新区',
  receive_address: '世纪大道100号',
  goods: '文件',
  promise_id: 'ed-m-0001',
  weight: 1_000,
  package_count: 1,
};
