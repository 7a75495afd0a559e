import { EXAMPLE_TIMES, exampleId } from "../../../operation/example";
import type { Bucket } from "./bucket";

export const bucketExample: Bucket = {
  id: exampleId("bkt"),
  project_id: exampleId("prj"),
  mode: "live",
  name: "acme-uploads",
  is_default: false,
  versioning: "on",
  public_read: false,
  tier: "hot",
  cors_rules: [
    {
      allowed_origins: ["https://app.example.com"],
      allowed_methods: ["GET", "PUT"],
      allowed_headers: ["*"],
      expose_headers: ["ETag"],
      max_age_seconds: 3600,
    },
  ],
  lifecycle_rules: [
    {
      id: "old-exports",
      prefix: "exports/",
      transitions: [{ days: 30, tier: "cold" }],
      expire_days: 365,
      enabled: true,
    },
  ],
  tags: [{ key: "team", value: "growth" }],
  policy: null,
  public_access_block: null,
  acl: [{ grantee: exampleId("ten"), permission: "full_control" }],
  object_ownership: "ObjectWriter",
  encryption: "none",
  object_lock: null,
  usage: {
    objects: 120,
    versions: 150,
    bytes: 48_230_400,
    tiers: { hot: 40_230_400, warm: 0, cold: 8_000_000, archive: 0 },
  },
  deletion: null,
  ...EXAMPLE_TIMES,
};

/** A bucket that nothing was stored in yet. */
export const newBucketExample: Bucket = {
  ...bucketExample,
  tags: [],
  usage: { objects: 0, versions: 0, bytes: 0, tiers: { hot: 0, warm: 0, cold: 0, archive: 0 } },
};
