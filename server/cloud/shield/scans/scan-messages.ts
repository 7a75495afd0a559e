import type { ContentReport } from "../../../guard/detectors/scan-content";

/** To the thread: the chunks of objects, several of which may be under way. */
export type ToScanThread =
  | { type: "bytes"; object: number; bytes: Uint8Array<ArrayBuffer> }
  /** The object has no more bytes. */
  | { type: "end"; object: number }
  /** The object cannot be read to its end; nothing is reported. */
  | { type: "stop"; object: number };

/** From the thread. */
export type FromScanThread =
  /** A chunk was taken: the next one may be sent. */
  { type: "taken"; object: number } | { type: "report"; object: number; report: ContentReport };
