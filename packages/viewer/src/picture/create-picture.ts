/** Opens a store in a picture. */
import { Picture } from './picture.js';
import type { PictureOptions } from './types.js';

/** Shows the whole model. Rejects with a one-line message if it cannot be read or drawn. */
export async function createPicture(
  container: HTMLElement,
  storeUrl: string,
  options: PictureOptions = {},
): Promise<Picture> {
  const picture = new Picture(container, options);
  try {
    await picture.open(storeUrl, options);
    return picture;
  } catch (error) {
    picture.dispose();
    throw error;
  }
}
