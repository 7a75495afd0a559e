/** What the worker of an edge function sends, by the first byte of a frame. */
export const FRAME_KINDS = { head: 1, body: 2, end: 3, log: 4, failure: 5 } as const;

/** The code of the tenant can write all of it, so that a frame may be longer than those of svc's own code. */
export const FRAME_BYTES_MAX = 1024 * 1024;

const HEADER_BYTES = 5;

export interface Frame {
  kind: number;
  content: Buffer;
}

/** Reads frames from bytes that arrive in parts of any size. */
export class FrameReader {
  #rest: Buffer = Buffer.alloc(0);

  /** The frames that are complete with this part. Throws RangeError for one that is too long. */
  read(part: Buffer): Frame[] {
    let left = this.#rest.length === 0 ? part : Buffer.concat([this.#rest, part]);
    const frames: Frame[] = [];
    while (left.length >= HEADER_BYTES) {
      const length = left.readUInt32BE(1);
      if (length > FRAME_BYTES_MAX) throw new RangeError("A frame is too long.");
      const end = HEADER_BYTES + length;
      if (left.length < end) break;
      frames.push({ kind: left.readUInt8(0), content: left.subarray(HEADER_BYTES, end) });
      left = left.subarray(end);
    }
    this.#rest = left;
    return frames;
  }
}
