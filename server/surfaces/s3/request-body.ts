import { createHash } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { NewBody } from "../../cloud/data/objects/objects";
import { type BodyChecks, type Checksums, checkedValue, checksumHeader, readBodyChecks } from "./body-checks";
import { ChunkSignatures } from "./chunk-signatures";
import { decodeChunks } from "./chunked-body";
import { S3Error } from "./s3-error";
import { EMPTY_SHA256 } from "./signature";
import type { VerifiedSignature } from "./verify-signature";

/** A put, or a part, from "Amazon S3 multipart upload limits". */
const PUT_BYTES_MAX = 5 * 1024 ** 3;
/** How long the next bytes of a body may take. */
const IDLE_MS = 60_000;
const SHA256 = /^[0-9a-f]{64}$/;

/** How the bytes of the body are framed and signed: the values of x-amz-content-sha256 other than a hash. */
const CHUNKED = {
  "STREAMING-AWS4-HMAC-SHA256-PAYLOAD": { isSigned: true, hasTrailers: false },
  "STREAMING-AWS4-HMAC-SHA256-PAYLOAD-TRAILER": { isSigned: true, hasTrailers: true },
  "STREAMING-UNSIGNED-PAYLOAD-TRAILER": { isSigned: false, hasTrailers: true },
} as const;

/** A request whose body can be read. */
export interface BodyParts {
  headers: ReadonlyMap<string, string>;
  incoming: IncomingMessage;
  outgoing: ServerResponse;
  /** Undefined for requests with a bearer key or a signature of Version 2, whose body is not signed. */
  signature: VerifiedSignature | undefined;
}

/** A body of known size and what is known of its bytes. */
export interface OpenBody extends NewBody {
  size: number;
  /** Why the body could not be read, once that happened; engines may wrap it. */
  failure?: unknown;
}

/**
 * Opens the body of a put. Nothing is read before it is iterated; `100 Continue` is sent then. Throws
 * `MissingContentLength`, `EntityTooLarge`, and what is wrong with the headers about the body; the stream throws what is
 * wrong with the bytes.
 */
export function openBody(parts: BodyParts): OpenBody {
  const { headers, signature } = parts;
  const payload = signature?.payload ?? headers.get("x-amz-content-sha256") ?? "UNSIGNED-PAYLOAD";
  const framing = framingOf(payload);
  const checks = readBodyChecks(headers);
  if (checks.trailer !== undefined && !framing?.hasTrailers) {
    throw new S3Error("InvalidRequest", "x-amz-trailer needs an x-amz-content-sha256 that ends in -TRAILER.");
  }
  const size = sizeOf(headers, framing !== undefined);
  const trailers: { checksums: Checksums } = { checksums: {} };
  const body: OpenBody = {
    size,
    ...(checks.md5 !== undefined && { md5: checks.md5 }),
    ...(checks.trailer !== undefined && { algorithms: [checks.trailer] }),
    checksums: () => ({ ...checks.checksums, ...trailers.checksums }),
    stream: guarded(
      () => {
        const source = bytesOf(parts);
        if (!framing) return SHA256.test(payload) ? verified(source, payload) : source;
        return decodeChunks({
          source,
          size,
          trailerNames: namesOf(checks, framing),
          signatures: framing.isSigned && signature ? new ChunkSignatures(signature) : undefined,
          onTrailers: (received) => {
            trailers.checksums = trailerChecksums(checks, received);
          },
        });
      },
      (failure) => {
        body.failure = failure;
      },
    ),
  };
  return body;
}

/** Reads a whole body of at most `bytesMax` bytes, for operations whose input is XML. */
export async function readWhole(body: OpenBody, bytesMax: number): Promise<Buffer> {
  if (body.size > bytesMax) {
    throw new S3Error("MaxMessageLengthExceeded", `The body of this request has at most ${bytesMax} bytes.`);
  }
  const chunks: Uint8Array[] = [];
  for await (const chunk of body.stream) chunks.push(chunk);
  return Buffer.concat(chunks);
}

type Framing = (typeof CHUNKED)[keyof typeof CHUNKED];

function framingOf(payload: string): Framing | undefined {
  if (payload in CHUNKED) return CHUNKED[payload as keyof typeof CHUNKED];
  if (payload === "UNSIGNED-PAYLOAD" || SHA256.test(payload)) return undefined;
  throw new S3Error(
    "InvalidArgument",
    `x-amz-content-sha256 must be UNSIGNED-PAYLOAD, ${Object.keys(CHUNKED).join(", ")} or the lower-case hexadecimal SHA-256 of the body.`,
  );
}

function sizeOf(headers: ReadonlyMap<string, string>, isChunked: boolean): number {
  const name = isChunked ? "x-amz-decoded-content-length" : "content-length";
  const text = headers.get(name);
  if (text === undefined || (!isChunked && headers.has("transfer-encoding"))) {
    throw new S3Error("MissingContentLength", `The header ${name} is required.`);
  }
  if (!/^\d{1,15}$/.test(text)) throw new S3Error("InvalidArgument", `The header ${name} must be a number of bytes.`);
  const size = Number(text);
  if (size > PUT_BYTES_MAX) {
    throw new S3Error("EntityTooLarge", "A put or part has at most 5 GiB; use a multipart upload.");
  }
  return size;
}

/** The bytes as they arrive. Ending early leaves the connection open, so that the client receives the response. */
export async function* bytesOf({
  incoming,
  outgoing,
}: Pick<BodyParts, "incoming" | "outgoing">): AsyncGenerator<Uint8Array> {
  if (isWaiting(incoming)) outgoing.writeContinue();
  let isReading = true;
  const late = setTimeout(() => {
    // What stores the bytes may take its time.
    if (!isReading) late.refresh();
    else incoming.destroy(new S3Error("RequestTimeout", "The body of the request did not arrive in time."));
  }, IDLE_MS);
  try {
    for await (const chunk of incoming.iterator({ destroyOnReturn: false })) {
      isReading = false;
      yield chunk as Buffer;
      isReading = true;
      late.refresh();
    }
  } finally {
    clearTimeout(late);
  }
}

const isWaiting = ({ headers }: IncomingMessage): boolean => headers.expect?.toLowerCase() === "100-continue";

async function* verified(source: AsyncIterable<Uint8Array>, expected: string): AsyncGenerator<Uint8Array> {
  const hash = createHash("sha256");
  let isEmpty = true;
  for await (const chunk of source) {
    isEmpty = false;
    hash.update(chunk);
    yield chunk;
  }
  if ((isEmpty ? EMPTY_SHA256 : hash.digest("hex")) === expected) return;
  throw new S3Error(
    "XAmzContentSHA256Mismatch",
    "The SHA-256 of the body is not the one that x-amz-content-sha256 says.",
  );
}

/** Notes why a body could not be read. */
async function* guarded(
  open: () => AsyncIterable<Uint8Array>,
  onFailure: (failure: unknown) => void,
): AsyncGenerator<Uint8Array> {
  try {
    yield* open();
  } catch (failure) {
    onFailure(failure);
    throw failure;
  }
}

const namesOf = ({ trailer }: BodyChecks, { hasTrailers }: Framing): string[] | undefined =>
  hasTrailers ? (trailer ? [checksumHeader(trailer)] : []) : undefined;

function trailerChecksums({ trailer }: BodyChecks, received: ReadonlyMap<string, string>): Checksums {
  if (trailer === undefined) return {};
  return { [trailer]: checkedValue(trailer, received.get(checksumHeader(trailer)) ?? "") };
}
