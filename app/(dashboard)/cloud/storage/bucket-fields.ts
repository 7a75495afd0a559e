import type { Bucket } from "./bucket";

/** Settings of a bucket, for the forms that create and change one. */
export const bucketFields = (versioning?: Bucket["versioning"]) => ({
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
    hint:
      versioning === "suspended"
        ? "Older versions stay as they are; no further ones are kept."
        : "Objects that are replaced or deleted stay as older versions, whose bytes count until they are deleted.",
    read: (fields: FormData) => (fields.has("versioning") ? ("on" as const) : ("off" as const)),
  },
  public_read: {
    label: "Public",
    hint: "Anyone who knows an object's address can read it, without credentials.",
  },
});
