import { avatarLength } from '@waystation/contract/base/limits.ts';

const side = 128;

/** A picture cut to a small square, as a data URL; null if the file is not a picture. */
export const pictureOf = async (file: Blob): Promise<string | null> => {
  const bitmap = await createImageBitmap(file).catch(() => null);
  if (!bitmap || bitmap.width === 0 || bitmap.height === 0) return null;
  const canvas = document.createElement('canvas');
  canvas.width = side;
  canvas.height = side;
  const pen = canvas.getContext('2d')!;
  // A white background, because transparent parts of the picture would otherwise become black.
  pen.fillStyle = '#fff';
  pen.fillRect(0, 0, side, side);
  const cut = Math.min(bitmap.width, bitmap.height);
  pen.drawImage(
    bitmap,
    (bitmap.width - cut) / 2,
    (bitmap.height - cut) / 2,
    cut,
    cut,
    0,
    0,
    side,
    side,
  );
  bitmap.close();
  return (
    [0.85, 0.6, 0.35, 0.1]
      .map((quality) => canvas.toDataURL('image/jpeg', quality))
      .find((address) => address.length <= avatarLength) ?? null
  );
};
