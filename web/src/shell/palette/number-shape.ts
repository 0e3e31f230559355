/** Whether what was typed may be a waybill, an order number or the tail of a phone. */
export const looksLikeNumber = (typed: string): boolean => /^[a-z0-9-]{4,40}$/i.test(typed.trim()) && /\d{3}/.test(typed);
