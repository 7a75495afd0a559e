import { ByteReader } from "./byte-reader";
import { S3Error } from "./s3-error";

/** The fields before the file, names and values together; a policy and its signature need less. */
const FIELDS_BYTES_MAX = 64 * 1024;
const HEADERS_MAX = 16;
const BOUNDARY = /;\s*boundary=(?:"([^"]{1,70})"|([^\s;,"]{1,70}))/i;

/** A form of the type `multipart/form-data`, read up to the bytes of its file. */
export interface Form {
  /** By lower-case name. */
  fields: ReadonlyMap<string, string>;
  fileName: string;
  /** The bytes of the file, as they arrive. What follows the file is ignored, as S3 does. */
  file: AsyncIterable<Uint8Array>;
}

export const isForm = (contentType: string | undefined): boolean =>
  /^multipart\/form-data\s*(;|$)/i.test(contentType?.trim() ?? "");

/** Reads the fields of a form. Throws `MalformedPOSTRequest`, and `InvalidArgument` if it has no file. */
export async function readForm(contentType: string, source: AsyncIterator<Uint8Array>): Promise<Form> {
  const [, quoted, plain] = BOUNDARY.exec(contentType) ?? [];
  const boundary = quoted ?? plain;
  if (boundary === undefined) throw malformed("its Content-Type has no boundary");
  const delimiter = Buffer.from(`\r\n--${boundary}`, "latin1");
  const reader = new ByteReader(source, malformed);
  const fields = new Map<string, string>();
  while ((await reader.line()) !== `--${boundary}`);
  for (let left = FIELDS_BYTES_MAX; ; ) {
    const { name, fileName } = await partOf(reader);
    if (name === "file") return { fields, fileName: fileName ?? "", file: reader.until(delimiter) };
    const value = await fieldText(reader.until(delimiter), left);
    left -= name.length + value.length;
    if (fields.has(name)) throw malformed(`the field ${name.slice(0, 80)} is repeated`);
    fields.set(name, value);
    if ((await reader.line()).startsWith("--")) {
      throw new S3Error("InvalidArgument", "A form must have a field named file, after all the others.");
    }
  }
}

async function partOf(reader: ByteReader): Promise<{ name: string; fileName: string | undefined }> {
  let disposition = "";
  for (let count = 0; ; count++) {
    const line = utf8Of(Buffer.from(await reader.line(), "latin1"));
    if (line === "") break;
    if (count >= HEADERS_MAX) throw malformed("a part has too many headers");
    if (/^content-disposition\s*:/i.test(line)) disposition = line;
  }
  const name = parameterOf(disposition, "name");
  if (name === undefined) throw malformed("a part has no name in its Content-Disposition");
  return { name: name.toLowerCase(), fileName: parameterOf(disposition, "filename") };
}

function parameterOf(disposition: string, name: string): string | undefined {
  const [, quoted, plain] =
    new RegExp(`;\\s*${name}=(?:"((?:[^"\\\\]|\\\\.)*)"|([^\\s;]+))`, "i").exec(disposition) ?? [];
  return quoted?.replaceAll(/\\(["\\])/g, "$1").replaceAll("%22", '"') ?? plain;
}

async function fieldText(chunks: AsyncIterable<Uint8Array>, bytesMax: number): Promise<string> {
  const all: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    size += chunk.length;
    if (size > bytesMax) throw malformed(`the fields before the file have more than ${FIELDS_BYTES_MAX} bytes`);
    all.push(chunk);
  }
  return utf8Of(Buffer.concat(all));
}

function utf8Of(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw malformed("a field is not UTF-8");
  }
}

const malformed = (what: string): S3Error =>
  new S3Error("MalformedPOSTRequest", `The body is not a well-formed multipart/form-data: ${what}.`);
