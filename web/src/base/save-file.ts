/** Gives a file to whoever sits there, under its name, as the browser's own download. */
export const saveFile = (blob: Blob, name: string): void => {
  const url = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // Long after the browser has begun to read it.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
};
