import type { Bucket } from "./bucket";

const VERSION_HINTS = {
  locked: "Stays on, because the bucket has object lock.",
  suspended: "Older versions stay as they are; no further ones are kept.",
  other: "Objects that are replaced or deleted stay as older versions, whose bytes count until they are deleted.",
};

/** Settings of a bucket, for the forms that create and change one. */
export const bucketFields = ({
  versioning,
  object_lock,
}: Partial<Pick<Bucket, "versioning" | "object_lock">> = {}) => ({
  tier: {
    label: "Storage class of new objects",
    choices: {
      hot: "Hot",
      warm: "Warm (compressed)",
      cold: "Cold (compressed)",
      archive: "Archive (restored before it is read)",
    },
    hint: "Colder classes cost less. Lifecycle rules can move objects to them by age.",
  },
  versioning: {
    as: "flag" as const,
    label: "Keep older versions",
    value: versioning === "on",
    hint: object_lock ? VERSION_HINTS.locked : VERSION_HINTS[versioning === "suspended" ? "suspended" : "other"],
    read: (fields: FormData) => (fields.has("versioning") ? ("on" as const) : ("off" as const)),
  },
  public_read: {
    label: "Public",
    hint: "Anyone who knows the address of an object without an access list of its own can read it, without credentials.",
  },
});
