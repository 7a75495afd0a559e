import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import type { Logger } from "pino";
import { INGEST_PREFIX, openStore, receiveTelemetry } from "../../cloud/obs/ingest/receive-telemetry";
import type { TelemetryParts } from "../../cloud/obs/ingest/telemetry-ctx";
import { enforceRate } from "../../engines/counters/fail-open";
import { type BodyAccount, ByteBudget, bodyMemoryExhausted } from "../../kernel/byte-budget";
import { contentCodingOf } from "../../kernel/content-coding";
import { ServiceError } from "../../kernel/errors";
import { limitBody } from "../../kernel/limit-body";
import { mediaTypeOf } from "../../kernel/media-type";
import type { Actor } from "../../operation/actor";
import { logFailure } from "../../operation/log-failure";
import { type RequestMeta, requestMetaOf } from "../../operation/request-meta";
import { MethodNotAllowed } from "./error-response";
import type { Surface } from "./mount-rows";
import { statusResponse } from "./otlp-status";

const PATH = /^\/v1\/observe\/([a-z0-9_]{1,100})\/otlp\/v1\/(logs|metrics|traces)$/;
/** Of a body as it is sent, and unpacked. */
const LIMITS = { bytesMax: 4 * 1024 * 1024, totalMs: 30_000 };
const UNPACKED_BYTES_MAX = 16 * 1024 * 1024;
/** What unpacked bodies take together; a tenant alone gets a third. */
const ALL_UNPACKED_BYTES_MAX = 256 * 1024 * 1024;
const TENANT_OF_FREE = 1 / 2;
/** Requests of one address that are not let in. */
const REFUSALS = { perSecond: 1, burst: 60 };

type Cloud = Pick<
  TelemetryParts,
  "db" | "counters" | "clock" | "encryptionKey" | "telemetryLog" | "exportReader" | "storedBytes"
>;

interface OtlpParts {
  cloud: Cloud;
  authenticate: (token: string, meta: RequestMeta) => Promise<Actor | undefined>;
  log: Logger;
}

/** Adds the paths to which OTLP exporters send records, with the token of a store or a platform key. They are no operations. */
export function withOtlp(surface: Surface, { cloud, authenticate, log }: OtlpParts): Surface {
  const unpackedBodies = new ByteBudget(ALL_UNPACKED_BYTES_MAX);
  const fetch: Surface["fetch"] = async (request, peer) => {
    const [, rid = "", path = ""] = PATH.exec(new URL(request.url).pathname) ?? [];
    if (rid === "") return surface.fetch(request, peer);
    const meta = requestMetaOf(request, peer);
    const headers = { "x-request-id": meta.requestId, "cache-control": "no-store" };
    try {
      if (request.method !== "POST") throw new MethodNotAllowed(request.method, ["POST"]);
      const token = /^Bearer (\S{1,200})$/i.exec(request.headers.get("authorization") ?? "")?.[1] ?? "";
      const by = token.startsWith(INGEST_PREFIX) ? token : await authenticate(token, meta);
      const store = await openStore(cloud, { rid, path, by }).catch(async (failure: unknown) => {
        const refusals = { key: `telemetry-refused:${meta.address}`, rate: REFUSALS };
        await enforceRate(cloud.counters, refusals, "Too many requests were refused.");
        throw failure;
      });
      const account = unpackedBodies.open([{ key: store.tenantId, ofFree: TENANT_OF_FREE }]);
      try {
        return Response.json(await receiveTelemetry(cloud, store, await bodyOf(request, account)), { headers });
      } finally {
        account.release();
      }
    } catch (failure) {
      logFailure(log, failure, { request, meta });
      return statusResponse(failure, {
        requestId: meta.requestId,
        mediaType: mediaTypeOf(request.headers.get("content-type")),
      });
    }
  };
  return { fetch };
}

async function bodyOf(request: Request, account: BodyAccount): Promise<Buffer> {
  if (mediaTypeOf(request.headers.get("content-type")) !== "application/json")
    throw new ServiceError(
      "unsupported_media_type",
      "Send OTLP's JSON with Content-Type: application/json; exporters call it the protocol http/json.",
    );
  const coding = contentCodingOf(request.headers.get("content-encoding"));
  if (!coding) throw new ServiceError("unsupported_media_type", "Content-Encoding: expected gzip, or none.");
  if (!request.body) return Buffer.alloc(0);
  const sent = Buffer.from(await new Response(limitBody(request.body, LIMITS)).arrayBuffer());
  if (coding === "identity") return sent;
  if (!account.grow(UNPACKED_BYTES_MAX)) throw bodyMemoryExhausted();
  return unpacked(sent);
}

async function unpacked(sent: Buffer): Promise<Buffer> {
  try {
    return await promisify(gunzip)(sent, { maxOutputLength: UNPACKED_BYTES_MAX });
  } catch (cause) {
    if (cause instanceof RangeError)
      throw new ServiceError("payload_too_large", "The body is larger than 16 MiB when it is unpacked.", { cause });
    throw new ServiceError("invalid_request", "The body is not valid gzip.", { cause });
  }
}
