import { open } from "node:fs/promises";

/** What the first bytes of a file say about how to run it. */
export type ProgramKind =
  /** `interpreter`: the path of the dynamic loader in the image; undefined for a static program. */
  | { kind: "elf"; machine: number; interpreter: string | undefined }
  /** The words of its first line, one or two. */
  | { kind: "script"; interpreter: readonly string[] }
  | { kind: "other" };

const ELF_HEADER_BYTES = 64;
/** The kernel reads no longer first lines of scripts. */
const LINE_BYTES_MAX = 256;
const HEADERS_BYTES_MAX = 64 * 1024;
const PATH_BYTES_MAX = 4096;
const MAGIC = Buffer.from([0x7f, 0x45, 0x4c, 0x46]);
/** 64 bits, little-endian. */
const CLASS = Buffer.from([2, 1]);
const PT_INTERP = 3;

/** Reads the header of an executable file (System V ABI, chapters 4 and 5), or the first line of a script. */
export async function readProgram(file: string): Promise<ProgramKind> {
  const handle = await open(file, "r");
  try {
    const read = async (position: number, length: number) => {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, position);
      return buffer.subarray(0, bytesRead);
    };
    const head = await read(0, LINE_BYTES_MAX);
    if (head.subarray(0, 2).toString("latin1") === "#!") return scriptOf(head);
    const isElf = head.length >= ELF_HEADER_BYTES && head.subarray(0, 4).equals(MAGIC);
    if (!isElf || !head.subarray(4, 6).equals(CLASS)) return { kind: "other" };
    return { kind: "elf", machine: head.readUInt16LE(18), interpreter: await interpreterOf(head, read) };
  } finally {
    await handle.close();
  }
}

function scriptOf(head: Buffer): ProgramKind {
  const [line = ""] = head.subarray(2).toString("utf8").split("\n");
  const [, program = "", argument = ""] = /^\s*(\S+)\s*(.*?)\s*$/.exec(line) ?? [];
  if (program === "") return { kind: "other" };
  return { kind: "script", interpreter: argument === "" ? [program] : [program, argument] };
}

type Read = (position: number, length: number) => Promise<Buffer>;

async function interpreterOf(head: Buffer, read: Read): Promise<string | undefined> {
  const [size, count] = [head.readUInt16LE(54), head.readUInt16LE(56)];
  const headers = await read(Number(head.readBigUInt64LE(32)), Math.min(size * count, HEADERS_BYTES_MAX));
  for (let at = 0; size >= 56 && at + size <= headers.length; at += size) {
    if (headers.readUInt32LE(at) !== PT_INTERP) continue;
    const length = Math.min(Number(headers.readBigUInt64LE(at + 32)), PATH_BYTES_MAX);
    const text = await read(Number(headers.readBigUInt64LE(at + 8)), length);
    return text.toString("utf8").split("\0")[0];
  }
  return undefined;
}
