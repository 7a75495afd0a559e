import type { MessageRow } from "./entry";
import { HEAD_BYTES } from "./record";

/** Of the records and metadata of a chunk: with the rest of its row, it fills a page of Postgres, 8 KiB. */
const CHUNK_BYTES_MAX = 8000;
/** A reader of positions looks so far back for the chunk of the first one. */
export const CHUNK_MESSAGES_MAX = 256;
/** Of the metadata of a message without a group, at most. */
const METADATA_BYTES = 24;

/** What the state keeps of the messages of a chunk, in their order. */
interface ChunkMessages {
  bytes: number[];
  /** Missing if all are of the default group, which is null. */
  groups?: (string | null)[];
  /** Missing if none was sent with a delay. */
  visibleFrom?: number[];
}

export interface NewChunk {
  /** The position of the first message. */
  first: number;
  count: number;
  /** Of the records. */
  length: number;
  /** JSON of `ChunkMessages`. */
  messages: string;
}

export interface Packed {
  chunks: NewChunk[];
  rows: MessageRow[];
}

type Unpacked = Pick<MessageRow, "groupId" | "visibleFrom" | "bytes">;

/** Distributes new messages to chunks. A message that is larger than a chunk should be has one of its own. */
export function packMessages(messages: readonly Unpacked[], { tail, at }: { tail: number; at: number }): Packed {
  const packed: Packed = { chunks: [], rows: [] };
  let [from, length, room] = [0, 0, CHUNK_BYTES_MAX];
  const close = (to: number) => {
    packed.chunks.push(chunkOf(messages.slice(from, to), { first: tail + from, length }));
    [from, length, room] = [to, 0, CHUNK_BYTES_MAX];
  };
  for (const [i, { groupId, visibleFrom, bytes }] of messages.entries()) {
    const size = HEAD_BYTES + bytes + METADATA_BYTES + (groupId?.length ?? 0);
    if (i > from && (size > room || i - from === CHUNK_MESSAGES_MAX)) close(i);
    packed.rows.push({
      position: tail + i,
      groupId,
      visibleFrom,
      storedAt: at,
      bytes,
      chunk: tail + from,
      start: length,
    });
    length += HEAD_BYTES + bytes;
    room -= size;
  }
  if (messages.length > from) close(messages.length);
  return packed;
}

function chunkOf(messages: readonly Unpacked[], { first, length }: { first: number; length: number }): NewChunk {
  const metadata: ChunkMessages = { bytes: messages.map(({ bytes }) => bytes) };
  if (messages.some(({ groupId }) => groupId !== undefined)) {
    metadata.groups = messages.map(({ groupId }) => groupId ?? null);
  }
  if (messages.some(({ visibleFrom }) => visibleFrom > 0)) {
    metadata.visibleFrom = messages.map(({ visibleFrom }) => visibleFrom);
  }
  return { first, count: messages.length, length, messages: JSON.stringify(metadata) };
}

/** What `packMessages` made of the messages of a chunk. */
export function unpackMessages(
  { first, messages }: Pick<NewChunk, "first" | "messages">,
  storedAt: number,
): MessageRow[] {
  const { bytes: sizes, groups, visibleFrom } = JSON.parse(messages) as ChunkMessages;
  let start = 0;
  return sizes.map((bytes, i) => {
    const row = {
      position: first + i,
      groupId: groups?.[i] ?? undefined,
      visibleFrom: visibleFrom?.[i] ?? 0,
      storedAt,
      bytes,
      chunk: first,
      start,
    };
    start += HEAD_BYTES + bytes;
    return row;
  });
}
