import { Buffer } from "node:buffer";

/** A stored message as a receive returns it; its group and its length are in the state of the queue. */
export interface MessageRecord {
  id: string;
  /** How the body is stored; see `storeBody`. */
  form: number;
  sentAt: number;
  body: string;
}

/** What `newId` gives. */
const ID_CHARS = 30;
/** Base 36: the length of the body in UTF-16 units, and milliseconds since 1970. */
const LENGTH_CHARS = 5;
const TIME_CHARS = 9;
const [FORM_AT, LENGTH_AT] = [ID_CHARS, ID_CHARS + 1];
const TIME_AT = LENGTH_AT + LENGTH_CHARS;

/** The bytes of a record before its body, all of them ASCII. */
export const HEAD_BYTES = TIME_AT + TIME_CHARS;

interface NewRecord extends Omit<MessageRecord, "sentAt"> {
  /** Of the body in UTF-8. */
  bytes: number;
}

/** One record after the other: id, form, length and time at fixed places, then the body, all in UTF-8. */
export function writeRecords(records: readonly NewRecord[], sentAt: number): Buffer {
  const written = Buffer.allocUnsafe(records.reduce((sum, { bytes }) => sum + HEAD_BYTES + bytes, 0));
  const time = sentAt.toString(36).padStart(TIME_CHARS, "0");
  let at = 0;
  for (const { id, form, body, bytes } of records) {
    written.write(id + form + body.length.toString(36).padStart(LENGTH_CHARS, "0") + time, at, "latin1");
    written.write(body, at + HEAD_BYTES, "utf8");
    at += HEAD_BYTES + bytes;
  }
  return written;
}

/** The records of a part of a chunk. */
export function readRecords(text: string): MessageRecord[] {
  const records: MessageRecord[] = [];
  for (let at = 0; at < text.length; ) {
    const bodyAt = at + HEAD_BYTES;
    const end = bodyAt + Number.parseInt(text.slice(at + LENGTH_AT, at + TIME_AT), 36);
    records.push({
      id: text.slice(at, at + ID_CHARS),
      form: Number(text[at + FORM_AT]),
      sentAt: Number.parseInt(text.slice(at + TIME_AT, bodyAt), 36),
      body: text.slice(bodyAt, end),
    });
    at = end;
  }
  return records;
}
