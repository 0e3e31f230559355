/** Downloads a file under its name. */
export const saveFile = (blob: Blob, name: string): void => {
  const url = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The browser has begun to read it long before.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
};
