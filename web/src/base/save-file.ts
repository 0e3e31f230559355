/** Saves the data as a file with this name. */
export const saveFile = (blob: Blob, name: string): void => {
  const url = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The URL is released after a minute, when the browser has certainly begun to read the file.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
};
