import fc from "fast-check";
import { expect, it } from "vitest";
import { ServiceError } from "../../../kernel/errors";
import type { BucketState, Change, Decision, ObjectsState, PartRow, UploadRow, Usage } from "./changes";
import { decideChanges } from "./decide-changes";
import type { RetentionMode } from "./objects";
import { ObjectsModel } from "./objects-model";
import { addUsage, NO_USAGE } from "./usage-change";
import { blobIdOf, blobsOf, rankOf, type VersionRow } from "./version-row";

const TENANT = "ten";
const BUCKETS = ["bkt_a", "bkt_b"];
/** Their versions have ids with the same ends, which must not be those of other versions. */
const UPLOADS = ["upl_00000090000000000000000001", "upl_00000090000000000000000002"];

/** The tables, written as the decision says and read as the statements read. */
class Tables {
  versions: VersionRow[] = [];
  parts: PartRow[] = [];
  uploads: UploadRow[] = [];
  blobs = new Set<string>();
  usage = new Map(BUCKETS.map((id) => [id, NO_USAGE]));

  state(changes: readonly Change[], base: Pick<ObjectsState, "limits" | "buckets" | "now">): ObjectsState {
    const places = changes.flatMap((change): { bucketId: string; key: string; versionId?: string | undefined }[] => {
      if (change.kind === "put" || change.kind === "complete" || change.kind === "lock") return [change];
      const { bucketId } = change;
      if (change.kind === "move") return [{ bucketId, key: change.key, versionId: change.version.versionId }];
      return change.kind === "delete" ? change.choices.map((choice) => ({ ...choice, bucketId })) : [];
    });
    const versions = new Map<string, VersionRow>();
    for (const { bucketId, key, versionId } of places) {
      const same = (each: { bucketId: string; key: string }) => each.bucketId === bucketId && each.key === key;
      const all = this.versions.filter(same).sort((a, b) => a.rank - b.rank);
      const newest = all.slice(0, places.filter(same).length + 1);
      const rank = rankOf(versionId ?? "");
      for (const row of newest) versions.set(row.id, row);
      for (const row of all) if (row.versionId === "null" || row.rank === rank) versions.set(row.id, row);
    }
    const sum = (of: "bytes" | "versions") => [...this.usage.values()].reduce((total, each) => total + each[of], 0);
    return {
      tenantId: TENANT,
      ...base,
      used: { bytes: sum("bytes"), versions: sum("versions") },
      versions: [...versions.values()],
      uploads: this.uploads,
      parts: this.parts,
    };
  }

  apply(decision: Decision): void {
    const { removedVersions, movedVersions, newVersions, newParts, completedUploads, removedUploads } = decision;
    const moved = new Map(movedVersions.map((row) => [row.id, row]));
    this.versions = this.versions.filter(({ id }) => !removedVersions.includes(id));
    this.versions = [...this.versions.map((row) => moved.get(row.id) ?? row), ...newVersions];
    for (const { id, tier, blob, parts } of decision.placedVersions) {
      this.versions = this.versions.map((row) => (row.id === id ? { ...row, tier, blob, parts } : row));
    }
    for (const { id, retention, legalHold } of decision.lockedVersions) {
      this.versions = this.versions.map((row) => (row.id === id ? { ...row, retention, legalHold } : row));
    }
    for (const part of newParts) {
      this.parts = [...this.parts.filter((row) => nameOf(row) !== nameOf(part)), part];
    }
    this.uploads = this.uploads.filter(({ id }) => !removedUploads.includes(id));
    this.uploads = this.uploads.map((row) => ({ ...row, completed: completedUploads.get(row.id) ?? row.completed }));
    const isOver = (id: string) => completedUploads.has(id) || removedUploads.includes(id);
    this.parts = this.parts.filter(({ uploadId }) => !isOver(uploadId));
    for (const name of decision.removedBlobs) {
      expect(this.blobs.delete(name), `${name} is removed once`).toBe(true);
    }
    for (const [id, change] of decision.usage) this.usage.set(id, addUsage(this.usage.get(id) ?? NO_USAGE, change));
  }

  referenced(): string[] {
    const bucketOf = (uploadId: string) => this.uploads.find(({ id }) => id === uploadId)?.bucketId;
    const parts = this.parts.map(
      (row) => `${TENANT}/${bucketOf(row.uploadId)}/${row.uploadId}.${row.number}.${row.suffix}`,
    );
    return [...this.versions.flatMap((row) => blobsOf(row).map(({ name }) => name)), ...parts].sort();
  }
}

const nameOf = ({ uploadId, number }: PartRow) => `${uploadId}.${number}`;

const conditions = fc.option(
  fc.oneof(
    fc.constant({ ifNoneMatch: "*" as const }),
    fc.constantFrom("*", "e1", "e2").map((ifMatch) => ({ ifMatch })),
  ),
  { nil: undefined, freq: 4 },
);
const DAY_MS = 24 * 3_600_000;
/** `until`: half days after the change. */
const retentions = fc.record({
  mode: fc.constantFrom("governance", "compliance"),
  until: fc.integer({ min: 0, max: 4 }),
});
const bucketLocks = fc.constantFrom<BucketState["objectLock"]>(
  null,
  { default_retention: null },
  { default_retention: { mode: "governance", days: 1 } },
);
const bucketIds = fc.constantFrom(...BUCKETS);
const keys = fc.constantFrom("a", "b");
const MIB = 1024 ** 2;

/** Steps before version ids are known: `pick` chooses among the versions that the key has then. */
const steps = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant("put" as const),
      bucketId: bucketIds,
      key: keys,
      size: fc.constantFrom(0, 1, 7 * MIB),
      etag: fc.constantFrom("e1", "e2"),
      condition: conditions,
      lock: fc.option(fc.record({ retention: retentions, legalHold: fc.boolean() }, { requiredKeys: [] }), {
        nil: undefined,
        freq: 4,
      }),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant("delete" as const),
      bucketId: bucketIds,
      choices: fc.array(fc.record({ key: keys, pick: fc.option(fc.nat(5), { nil: undefined }) }), {
        minLength: 1,
        maxLength: 4,
      }),
      condition: conditions,
      bypassGovernance: fc.boolean(),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant("lock" as const),
      bucketId: bucketIds,
      key: keys,
      pick: fc.option(fc.nat(5), { nil: undefined }),
      retention: fc.option(fc.option(retentions, { nil: null, freq: 3 }), { nil: undefined, freq: 4 }),
      legalHold: fc.option(fc.boolean(), { nil: undefined }),
      bypassGovernance: fc.boolean(),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant("part" as const),
      upload: fc.nat(1),
      number: fc.integer({ min: 1, max: 2 }),
      size: fc.constantFrom(1, 6 * MIB),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant("complete" as const),
      upload: fc.nat(1),
      numbers: fc.subarray([1, 2], { minLength: 1 }),
      condition: conditions,
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("abort" as const), upload: fc.nat(1) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant("move" as const),
      pick: fc.nat(5),
      tier: fc.constantFrom("warm", "cold", "archive"),
    }),
  },
);
type Step = typeof steps extends fc.Arbitrary<infer S> ? S : never;
const batches = fc.record({
  versioning: fc.tuple(fc.constantFrom("off", "on", "suspended"), fc.constantFrom("off", "on", "suspended")),
  steps: fc.array(steps, { minLength: 1, maxLength: 6 }),
});

it("any batches of changes have the results of a simple model, and the usage is the sum of what is stored", () => {
  const limits = fc.record({
    bytes: fc.constantFrom(9 * MIB, 22 * MIB),
    versions: fc.integer({ min: 1, max: 6 }),
  });
  fc.assert(fc.property(fc.array(batches, { maxLength: 8 }), limits, fc.tuple(bucketLocks, bucketLocks), run), {
    numRuns: 400,
  });
});

type Batch = typeof batches extends fc.Arbitrary<infer B> ? B : never;

function run(all: readonly Batch[], limits: Usage, locks: readonly BucketState["objectLock"][]): void {
  const [tables, model] = [new Tables(), new ObjectsModel(limits)];
  const properties = { contentType: "t", headers: {}, userMetadata: {} };
  tables.uploads = UPLOADS.map((id, i) => ({
    id,
    bucketId: BUCKETS[i] ?? "",
    key: "a",
    properties,
    algorithm: undefined,
    checksumType: undefined,
    tier: "hot",
    completed: null,
    encryption: null,
  }));
  for (const id of UPLOADS)
    model.uploads.set(id, { bucketId: BUCKETS[UPLOADS.indexOf(id)] ?? "", key: "a", parts: new Map() });
  let [count, now, wasVersioned] = [0, 1000, [false, false]];
  for (const batch of all) {
    const versioning = batch.versioning.map((each, i) => (each === "off" && wasVersioned[i] ? "suspended" : each));
    wasVersioned = versioning.map((each, i) => wasVersioned[i] || each !== "off");
    const buckets = new Map(
      BUCKETS.map((id, i): [string, BucketState] => [
        id,
        { versioning: versioning[i] as BucketState["versioning"], isDeleting: false, objectLock: locks[i] ?? null },
      ]),
    );
    now += DAY_MS / 2;
    const next = () => (++count).toString().padStart(26, "0");
    const changes = batch.steps.map((step) => changeOf(step, tables, { next, now }));
    for (const change of changes) {
      if (change.kind === "put") tables.blobs.add(`${TENANT}/${change.bucketId}/${change.version.id}`);
      if (change.kind === "move") tables.blobs.add(blobMovedTo(change));
      if (change.kind === "part")
        tables.blobs.add(`${TENANT}/${change.bucketId}/${change.uploadId}.${change.part.number}.${change.part.suffix}`);
    }
    const decision = decideChanges(tables.state(changes, { limits, buckets, now }), changes);
    tables.apply(decision);
    for (const [i, change] of changes.entries()) {
      const outcome = decision.outcomes[i];
      const actual = outcome && "failure" in outcome ? reasonOf(outcome.failure) : "ok";
      expect(actual, JSON.stringify(change)).toBe(model.apply(change, { buckets, now }));
      if (change.kind === "move" && outcome && "value" in outcome && !outcome.value)
        tables.blobs.delete(blobMovedTo(change));
      if (actual === "ok") continue;
      // What was refused is removed from the store by the caller.
      if (change.kind === "put") tables.blobs.delete(`${TENANT}/${change.bucketId}/${change.version.id}`);
      if (change.kind === "part")
        tables.blobs.delete(
          `${TENANT}/${change.bucketId}/${change.uploadId}.${change.part.number}.${change.part.suffix}`,
        );
    }
    compare(tables, model);
  }
}

function changeOf(step: Step, tables: Tables, { next, now }: { next: () => string; now: number }): Change {
  const retentionAt = ({ mode, until }: { mode: string; until: number }) => ({
    mode: mode as RetentionMode,
    until: now + (until * DAY_MS) / 2,
  });
  const versionIdOf = (bucketId: string, key: string, pick: number | undefined) => {
    const existing = tables.versions.filter((row) => row.bucketId === bucketId && row.key === key);
    return pick === undefined ? undefined : (existing[pick]?.versionId ?? "null");
  };
  if (step.kind === "lock") {
    const { bucketId, key, pick, retention, legalHold, bypassGovernance } = step;
    const lock = {
      bypassGovernance,
      ...(retention !== undefined && { retention: retention && retentionAt(retention) }),
      ...(legalHold !== undefined && { legalHold }),
    };
    return { kind: "lock", bucketId, key, versionId: versionIdOf(bucketId, key, pick), lock };
  }
  if (step.kind === "put") {
    const { bucketId, key, size, etag, condition } = step;
    const whole = {
      checksums: {},
      checksumType: "FULL_OBJECT" as const,
      parts: null,
      tier: "hot" as const,
      blob: null,
      encryption: null,
    };
    const { retention, ...held } = step.lock ?? {};
    const lock = step.lock && { ...held, ...(retention && { retention: retentionAt(retention) }) };
    const shown = { size, etag, contentType: "t", headers: {}, userMetadata: {}, lock };
    const version = { id: `ver_${next()}`, ...shown, ...whole };
    return { kind: "put", bucketId, key, version, condition };
  }
  if (step.kind === "delete") {
    const { bypassGovernance } = step;
    const choices = step.choices.map(({ key, pick }) => {
      const versionId = versionIdOf(step.bucketId, key, pick);
      return { key, versionId, markerId: `ver_${next()}`, bypassGovernance };
    });
    return { kind: "delete", bucketId: step.bucketId, choices, condition: step.condition };
  }
  if (step.kind === "move") {
    const movable = tables.versions.filter((row) => !row.isDeleteMarker && row.parts === null);
    const { id, bucketId, key, versionId, tier, blob } = movable[step.pick % movable.length] ?? GONE;
    const to = { tier: step.tier, blob: `${next()}.${step.tier}`, parts: null };
    return { kind: "move", bucketId, key, version: { id, versionId }, from: { tier, blob, parts: null }, to };
  }
  const [uploadId, bucketId, key] = [UPLOADS[step.upload] ?? "", BUCKETS[step.upload] ?? "", "a"];
  if (step.kind === "abort") return { kind: "abort", bucketId, key, uploadId };
  if (step.kind === "part") {
    const part = { number: step.number, suffix: next(), size: step.size, etag: "00", checksums: {} };
    return { kind: "part", bucketId, key, uploadId, part };
  }
  const parts = step.numbers.map((number) => ({ number, etag: "00" }));
  const condition = step.condition && { condition: step.condition };
  return { kind: "complete", bucketId, key, upload: { uploadId, key, parts, ...condition } };
}

const GONE = { id: "ver_gone", bucketId: "bkt_a", key: "a", versionId: "null", tier: "hot" as const, blob: null };

const blobMovedTo = ({ bucketId, version, to }: Extract<Change, { kind: "move" }>): string =>
  `${TENANT}/${bucketId}/${blobIdOf({ id: version.id, blob: to.blob })}`;

const reasonOf = (failure: ServiceError) => String(failure.details?.reason ?? failure.details?.resource);

const shown = ({ id, isDeleteMarker, versionId, retention, legalHold }: VersionRow) => [
  id,
  isDeleteMarker,
  versionId === "null",
  retention ?? null,
  legalHold ?? null,
];

function compare(tables: Tables, model: ObjectsModel): void {
  for (const bucketId of BUCKETS) {
    for (const key of ["a", "b"]) {
      const rows = tables.versions.filter((row) => row.bucketId === bucketId && row.key === key);
      rows.sort((a, b) => a.rank - b.rank);
      expect(rows.map(shown)).toEqual(model.listed(bucketId, key));
      expect(rows.map(({ isLatest }) => isLatest)).toEqual(rows.map((_, i) => i === 0));
      expect(rows.map(({ noncurrentSince }) => noncurrentSince === null)).toEqual(rows.map((_, i) => i === 0));
    }
    expect(tables.usage.get(bucketId)).toEqual(model.usage(bucketId));
  }
  expect([...tables.blobs].sort()).toEqual(tables.referenced());
}

it("fails with an error that is no refusal as a whole", () => {
  const broken = { kind: "put" } as unknown as Change;
  const state: ObjectsState = {
    tenantId: TENANT,
    now: 0,
    limits: { bytes: 1, versions: 1 },
    used: { bytes: 0, versions: 0 },
    buckets: new Map([["b", { versioning: "off", isDeleting: false }]]),
    versions: [],
    uploads: [],
    parts: [],
  };
  expect(() => decideChanges(state, [{ ...broken, bucketId: "b", key: "k" } as Change])).toThrow(TypeError);
  expect(() => decideChanges(state, [{ ...broken, bucketId: "c", key: "k" } as Change])).not.toThrow(ServiceError);
});
