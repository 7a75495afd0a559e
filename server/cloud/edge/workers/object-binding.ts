import { z } from "zod";
import { openCursor, sealCursor } from "../../../kernel/cursor";
import { ServiceError } from "../../../kernel/errors";
import { findBucket } from "../../data/buckets/find-bucket";
import { ObjectKey } from "../../data/buckets/object-fields";
import type { ObjectVersion } from "../../data/objects/objects";
import { type BindingCtx, type BindingMethods, CursorText, cursorScope } from "./binding-methods";
import type { Binding } from "./edge-fields";

const OBJECT_BYTES_MAX = 10 * 1024 * 1024;
const KEYS_MAX = 1000;
const TEXT_MAX = 1024;

const One = z.strictObject({ key: ObjectKey });
const Put = z.strictObject({ key: ObjectKey, contentType: z.string().max(255).optional() });
const Delete = z.strictObject({ keys: z.array(ObjectKey).min(1).max(KEYS_MAX) });
const List = z.strictObject({
  prefix: z.string().max(TEXT_MAX).optional(),
  delimiter: z.string().max(TEXT_MAX).optional(),
  limit: z.int().min(1).max(KEYS_MAX).default(KEYS_MAX),
  cursor: CursorText,
});

/** The bucket is looked up by each call, so that one that was deleted is gone. */
export function objectMethods(
  ctx: BindingCtx,
  { bucket: asked }: Extract<Binding, { type: "object" }>,
): BindingMethods {
  const { objects } = ctx;
  const found = () => findBucket(ctx, { bucket: asked });
  const current = async (key: string) => {
    const bucket = await found();
    const version = await objects.find(bucket, { key });
    return version && !version.isDeleteMarker ? { bucket, version } : undefined;
  };
  return {
    head: async ({ args }) => {
      const object = await current(One.parse(args).key);
      return { result: object ? shown(object.version) : null };
    },
    get: async ({ args }) => {
      const object = await current(One.parse(args).key);
      if (!object) return { result: null };
      const { bucket, version } = object;
      if (version.size > OBJECT_BYTES_MAX) throw tooLarge();
      const reading = await objects.read(bucket, { key: version.key, versionId: version.versionId });
      const parts: Uint8Array[] = [];
      for await (const part of reading.open()) parts.push(part);
      return { result: shown(version), body: Buffer.concat(parts) };
    },
    put: async ({ args, body }, { isSmokeRun }) => {
      const { key, contentType = "application/octet-stream" } = Put.parse(args);
      if (body.length > OBJECT_BYTES_MAX) throw tooLarge();
      const bucket = await found();
      const stream = (async function* () {
        yield body;
      })();
      const object = { key, contentType, headers: {}, userMetadata: {}, body: { stream, size: body.length } };
      if (!isSmokeRun) await objects.put(bucket, object);
      return {};
    },
    delete: async ({ args }, { isSmokeRun }) => {
      const choices = Delete.parse(args).keys.map((key) => ({ key }));
      const bucket = await found();
      if (!isSmokeRun) await objects.delete(bucket, choices);
      return {};
    },
    list: async ({ args }) => {
      const { limit, cursor, ...options } = List.parse(args);
      const bucket = await found();
      const scope = cursorScope(ctx, ["object", bucket.id, options.prefix, options.delimiter]);
      const after = cursor === undefined ? undefined : openCursor(scope, cursor);
      const page = await objects.list(bucket, { limit, ...defined({ ...options, after }) });
      const next = page.next === undefined ? null : sealCursor(scope, page.next);
      return { result: { objects: page.objects.map(shown), prefixes: page.prefixes, cursor: next } };
    },
  };
}

const shown = ({ key, size, etag, contentType, lastModified }: ObjectVersion) => ({
  key,
  size,
  etag,
  contentType,
  uploaded: lastModified.toISOString(),
});

const defined = (options: Record<string, string | undefined>): Record<string, string> =>
  Object.fromEntries(Object.entries(options).filter((entry): entry is [string, string] => entry[1] !== undefined));

const tooLarge = (): ServiceError =>
  new ServiceError(
    "payload_too_large",
    "A binding reads and writes objects of at most 10 MiB; presign a URL for others.",
  );
