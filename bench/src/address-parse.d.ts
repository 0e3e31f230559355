/** The part of address-parse 1.2.19 that is used here; the package brings no types. */
declare module 'address-parse' {
  interface ParsedAddress {
    name: string;
    mobile: string;
    phone: string;
    province: string;
    city: string;
    area: string;
    details: string;
  }
  /** A CommonJS module made from an ES one: its default is inside another default. */
  const module: { default: { parse(text: string): ParsedAddress[] } };
  export default module;
}
