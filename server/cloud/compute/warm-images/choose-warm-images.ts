/** Recent starts of pods with an image, on GPUs of a model or, with the SKU `cpu`, without. */
export interface ImageDemand {
  sku: string;
  image: string;
  /** Those of a day ago count for half. */
  starts: number;
}

/** What is known of an image on a node. */
export interface KnownImage {
  /** On the disk; null: it was never there. */
  bytes: number | null;
  isReady: boolean;
}

export interface WarmLimits {
  /** Of all images together. */
  bytesMax: number;
  imageBytesMax: number;
  known: ReadonlyMap<string, KnownImage>;
}

export interface WarmChoice {
  image: string;
  /** Over all SKUs. */
  demand: number;
}

const IMAGES_MAX = 100;
/** One start is enough for a day. */
const DEMAND_MIN = 0.5;
/** What is ready stays for another day, and gives way only to what is clearly in more demand. */
const READY_DEMAND_MIN = 0.25;
const READY_FACTOR = 1.5;
/** Of `imageBytesMax`, for an image that has never been there. */
const UNKNOWN_SHARE = 0.25;

/** Chooses the images that a node keeps ready: those with the most starts per byte, as many as fit. Best first. */
export function chooseWarmImages(demands: readonly ImageDemand[], limits: WarmLimits): WarmChoice[] {
  const ranked = [...demandByImage(demands)]
    .map(([image, demand]) => rank({ image, demand }, limits))
    .filter(({ bytes, demand, isReady }) => {
      return bytes <= limits.imageBytesMax && demand >= (isReady ? READY_DEMAND_MIN : DEMAND_MIN);
    })
    .sort((a, b) => b.score - a.score || a.image.localeCompare(b.image));
  const chosen: WarmChoice[] = [];
  let left = limits.bytesMax;
  for (const { image, demand, bytes } of ranked) {
    if (chosen.length === IMAGES_MAX || bytes > left) continue;
    chosen.push({ image, demand });
    left -= bytes;
  }
  return chosen;
}

/** The demand of each image over all SKUs, because every node may run pods of any. */
export function demandByImage(demands: readonly ImageDemand[]): Map<string, number> {
  const byImage = new Map<string, number>();
  for (const { image, starts } of demands) byImage.set(image, (byImage.get(image) ?? 0) + starts);
  return byImage;
}

function rank({ image, demand }: WarmChoice, { known, imageBytesMax }: WarmLimits) {
  const { bytes: knownBytes = null, isReady = false } = known.get(image) ?? {};
  const bytes = knownBytes ?? imageBytesMax * UNKNOWN_SHARE;
  return { image, demand, bytes, isReady, score: (demand * (isReady ? READY_FACTOR : 1)) / Math.max(1, bytes) };
}
