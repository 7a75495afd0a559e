import type { LockChoice, Retention, VersionChoice } from "../../cloud/data/objects/objects";
import { mayBypass } from "./assert-access";
import { holdText, modeNamed, modeText, timeOf, withLock } from "./lock-headers";
import { versionIdHeader } from "./object-fields";
import { textIn, type XmlElement } from "./read-xml";
import type { ObjectCall, S3Call, S3Operation } from "./s3-call";
import { S3Error } from "./s3-error";
import { tag, xmlDocument } from "./write-xml";
import { readDocument } from "./xml-body";

const choiceOf = ({ key, request }: ObjectCall): VersionChoice => {
  const versionId = request.query.get("versionId");
  return { key, ...(versionId !== undefined && { versionId }) };
};

const getObjectRetention: S3Operation<ObjectCall> = {
  name: "GetObjectRetention",
  access: "storage:read",
  run: async (call) => {
    const { retention } = await lockedVersion(call);
    if (!retention) throw absent("retention");
    const { mode, until } = retention;
    const tags = [tag("Mode", modeText(mode)), tag("RetainUntilDate", new Date(until).toISOString())];
    return { body: xmlDocument("Retention", tags) };
  },
};

const getObjectLegalHold: S3Operation<ObjectCall> = {
  name: "GetObjectLegalHold",
  access: "storage:read",
  run: async (call) => {
    const { legalHold } = await lockedVersion(call);
    if (legalHold === undefined) throw absent("legal hold");
    return { body: xmlDocument("LegalHold", tag("Status", holdText(legalHold))) };
  },
};

const putObjectRetention = changesLock("PutObjectRetention", async (call) => ({
  retention: retentionOf(await readDocument(call, "Retention")),
}));

const putObjectLegalHold = changesLock("PutObjectLegalHold", async (call) => {
  const status = textIn(await readDocument(call, "LegalHold"), "Status");
  if (status === "ON" || status === "OFF") return { legalHold: status === "ON" };
  throw new S3Error("MalformedXML", "Status must be ON or OFF.");
});

function changesLock(name: string, lockIn: (call: S3Call) => Promise<LockChoice>): S3Operation<ObjectCall> {
  return {
    name,
    access: "storage:write",
    withBodyFacts: async (call) => withLock(call, await lockIn(call)),
    run: async (call) => {
      const lock = await lockIn(call);
      assertLockable(call);
      const choice = choiceOf(call);
      const bypassGovernance = await mayBypass(withLock(call, lock), choice);
      const version = await call.cloud.objects.setLock(call.bucket, choice, { ...lock, bypassGovernance });
      return { headers: versionIdHeader(call.bucket, version) };
    },
  };
}

/** Without both elements, a retention is removed. */
function retentionOf(document: XmlElement): Retention | null {
  const [mode, until] = [textIn(document, "Mode"), textIn(document, "RetainUntilDate")];
  if (mode === undefined && until === undefined) return null;
  const [named, time] = [modeNamed(mode ?? ""), timeOf(until ?? "")];
  if (named && time !== undefined) return { mode: named, until: time };
  throw new S3Error(
    "MalformedXML",
    "A Retention has a Mode, GOVERNANCE or COMPLIANCE, and a RetainUntilDate, a date of ISO 8601.",
  );
}

async function lockedVersion(call: ObjectCall) {
  assertLockable(call);
  return (await call.cloud.objects.read(call.bucket, choiceOf(call))).version;
}

function assertLockable({ bucket }: ObjectCall): void {
  if (!bucket.objectLock) throw new S3Error("InvalidRequest", "Bucket is missing Object Lock Configuration.");
}

const absent = (what: string): S3Error =>
  new S3Error(
    "NoSuchObjectLockConfiguration",
    `The specified object does not have a ObjectLock configuration: no ${what}.`,
  );

/** What keeps a version from being deleted, by `METHOD ?sub-resource`. */
export const LOCK_OPERATIONS: Readonly<Record<string, S3Operation<ObjectCall>>> = {
  "GET ?retention": getObjectRetention,
  "PUT ?retention": putObjectRetention,
  "GET ?legal-hold": getObjectLegalHold,
  "PUT ?legal-hold": putObjectLegalHold,
};
