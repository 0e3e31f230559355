/** The part of address-parse 1.2.19 that this benchmark uses; the package contains no types. */
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
  /**
   * The module is an ES module that was converted to CommonJS. Its default export is therefore
   * inside another default export.
   */
  const module: { default: { parse(text: string): ParsedAddress[] } };
  export default module;
}
