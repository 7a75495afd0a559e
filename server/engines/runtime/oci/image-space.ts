/** Of the space for images, in addition to it. */
const RESERVE = 0.5;

export interface ImageSpace {
  bytesMax: number;
  /** In use, with what is added. */
  totalBytes: number;
  /** The part of it that came for the owner of what is added. */
  ownBytes: number;
}

/**
 * Whether images in use leave space for what is added. One owner's can fill all of it, but not a reserve beside it: that
 * is for owners who hold at most as much as they leave free of both, so that the next one's image has a place.
 */
export const hasSpace = ({ bytesMax, totalBytes, ownBytes }: ImageSpace): boolean =>
  totalBytes <= bytesMax || ownBytes <= bytesMax * (1 + RESERVE) - totalBytes;
