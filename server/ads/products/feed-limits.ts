const KIB = 1024;
const MIB = 1024 * KIB;
const SECOND = 1000;
const MINUTE = 60 * SECOND;

/** The limits of one import and of concurrent imports; tests may pass lower ones. */
export interface FeedLimits {
  /** Size of the request body as sent, in bytes. */
  sentBytesMax: number;
  /** Size after decompression, in bytes. */
  bytesMax: number;
  /** Ratio of decompressed to compressed bytes, checked once `ratioGraceBytes` have been decompressed. */
  ratioMax: number;
  ratioGraceBytes: number;
  /** Decompressed bytes without the end of a row: blank lines, an endless line, or elements that are not items. */
  gapBytesMax: number;
  /** Accepted and rejected rows. */
  rowsMax: number;
  /** How long to wait for the next bytes of the body. */
  idleMs: number;
  totalMs: number;
  /**
   * CPU time of the import's thread: in total, and since it last stored a product. On a busy machine it includes the
   * wait for a core, so both limits are far above what a feed needs.
   */
  computeMs: number;
  computeBetweenProductsMs: number;
  /** Heap size of that thread. */
  heapMib: number;
  /** Concurrent imports across all processes. */
  importsPerTenantMax: number;
  importsPerProcessMax: number;
}

export const FEED_LIMITS: FeedLimits = {
  sentBytesMax: 1024 * MIB,
  bytesMax: 1024 * MIB,
  ratioMax: 100,
  ratioGraceBytes: 8 * MIB,
  gapBytesMax: 4 * MIB,
  rowsMax: 5_000_000,
  idleMs: MINUTE,
  totalMs: 120 * MINUTE,
  computeMs: 20 * MINUTE,
  computeBetweenProductsMs: MINUTE,
  heapMib: 128,
  importsPerTenantMax: 3,
  importsPerProcessMax: 8,
};

/** Limits of one row. A row over a limit is rejected; a feed whose structure exceeds a limit cannot be read further. */
export const ROW_LIMITS = {
  /** Size of a line, record or item, in bytes. */
  bytesMax: MIB,
  /** JSON values per line, or XML elements per item and between two items. */
  valuesMax: 10_000,
  /** Nesting depth of a JSON line and of XML elements. */
  depthMax: 32,
  /** Attributes per XML element. */
  attributesMax: 64,
  /** Columns of a CSV header, and characters of all their names. */
  columnsMax: 1000,
  headerLengthMax: 64 * KIB,
} as const;

/** Rows per database statement, and their maximum total size. */
export const BATCH_ROWS = 1000;
export const BATCH_LENGTH = 4 * MIB;

/** The length of a product id, in characters. */
export const ID_LENGTH_MAX = 200;

/** The number of row errors that a result lists. */
export const ERRORS_MAX = 1000;
