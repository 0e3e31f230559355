const two = (value: number): string => String(value).padStart(2, '0');

/** ISO 8601 → what a `datetime-local` input takes, in the viewer's zone; '' where there is none. */
export const localInput = (iso: string | null): string => {
  if (iso === null) return '';
  const at = new Date(iso);
  if (Number.isNaN(at.getTime())) return '';
  return `${String(at.getFullYear()).padStart(4, '0')}-${two(at.getMonth() + 1)}-${two(at.getDate())}T${two(at.getHours())}:${two(at.getMinutes())}`;
};

/** What such an input gives → ISO 8601; null where it is empty or half-typed. */
export const momentOf = (input: string): string | null => {
  const at = new Date(input);
  return input === '' || Number.isNaN(at.getTime()) ? null : at.toISOString();
};
