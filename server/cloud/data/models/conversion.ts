import type { TargetDtype } from "./dtypes";

/** A file that can be read in ranges. */
export interface ModelSource {
  /** Bytes. */
  size: number;
  /** The bytes from `from` to before `to`. An abort closes connections; the conversion itself ends at once anyway. */
  read(from: number, to: number, signal: AbortSignal): AsyncIterable<Uint8Array>;
}

/** Where shards are written. A file is visible only when it is complete, and replaces one of the same name. */
export interface ModelTarget {
  put(
    name: string,
    size: number,
    body: AsyncIterable<Uint8Array>,
    signal: AbortSignal,
  ): Promise<{ etag?: string | undefined }>;
  /** Whether there is a file with this name and size. */
  exists(name: string, size: number): Promise<boolean>;
  /** Files that do not exist are ignored. */
  remove(names: readonly string[]): Promise<void>;
}

export interface ConversionRequest {
  /** What floats are converted to; undefined: nothing. */
  dtype: TargetDtype | undefined;
  /** 1 to 256; there are never more shards than tensors. */
  shards: number;
  /** Hex, of the whole source. */
  sha256: string | undefined;
  /** Of the whole source. */
  bytesTotal: number | undefined;
  /** The last one that an interrupted conversion has reported. */
  progress: ConversionProgress | undefined;
}

export interface StoredFile {
  name: string;
  bytes: number;
  /** Lower-case hex. */
  sha256: string;
  etag?: string | undefined;
}

export interface StoredShard extends StoredFile {
  /** Of the source from its start to the end of this shard's tensors: a later run proves with it that it is the same. */
  sourceSha256: string;
}

/** Plain JSON. */
export interface ConversionProgress {
  /** Differs for other tensors, another dtype and another number of shards. */
  planSha256: string;
  /** Of the source. */
  bytesRead: number;
  bytesTotal: number;
  /** Those that are complete, in order. */
  shards: readonly StoredShard[];
  shardsTotal: number;
}

export interface ConversionResult {
  /** The shards in order, then the index. */
  files: readonly StoredFile[];
  /** Of the whole source. */
  sourceSha256: string;
  sourceBytes: number;
  tensors: number;
  /** Of all tensors after the conversion. */
  tensorBytes: number;
  /** Of this run. */
  seconds: number;
}
