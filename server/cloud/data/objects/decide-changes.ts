import { ServiceError } from "../../../kernel/errors";
import type { Change, Decision, ObjectsState, Outcome } from "./changes";
import { assertCondition, KeyTurns } from "./key-turns";
import { UploadTurns } from "./upload-turns";
import { versionOf } from "./version-row";

/**
 * Decides a batch of changes of one tenant, in order: what each returns or why it fails, and what is then written. A
 * change that fails changes nothing. Pure: everything it depends on is in `state`.
 */
export function decideChanges(state: ObjectsState, changes: readonly Change[]): Decision {
  const keys = new KeyTurns(state);
  const uploads = new UploadTurns(state, keys);
  const outcomes = changes.map((change): Outcome => {
    try {
      return { value: apply(change, keys, uploads) };
    } catch (failure) {
      if (failure instanceof ServiceError) return { failure };
      throw failure;
    }
  });
  const differences = [...keys.keys].map((versions) => versions.differences());
  return {
    outcomes,
    removedVersions: differences.flatMap(({ removed }) => removed),
    movedVersions: differences.flatMap(({ moved }) => moved),
    newVersions: differences.flatMap(({ added }) => added),
    placedVersions: keys.placedVersions,
    lockedVersions: keys.lockedVersions,
    ...uploads.differences(),
    removedBlobs: keys.removedBlobs,
    usage: keys.usage,
  };
}

function apply(change: Change, keys: KeyTurns, uploads: UploadTurns) {
  switch (change.kind) {
    case "put": {
      const { bucketId, key, version, condition } = change;
      keys.openBucket(bucketId);
      assertCondition({ key, current: keys.versions(bucketId, key).latest }, condition);
      return versionOf(keys.put(change, version));
    }
    case "delete": {
      keys.assertDeletable(change);
      return change.choices.map((choice) => keys.delete(change.bucketId, choice));
    }
    case "move":
      return keys.move(change);
    case "lock":
      return versionOf(keys.lock(change));
    case "part":
      return uploads.store(change);
    case "complete":
      return uploads.complete(change);
    case "abort":
      return uploads.abort(change);
  }
}
