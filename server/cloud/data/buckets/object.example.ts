import type { z } from "zod";
import { EXAMPLE_TIME } from "../../../operation/example";
import type { ObjectMetadata, StoredObject } from "./object-fields";

export const objectExample: StoredObject = {
  key: "invoices/2026/0042.pdf",
  size: 48_230,
  etag: "9b2cf535f27731c974343645a3985328",
  content_type: "application/pdf",
  last_modified: EXAMPLE_TIME,
  version_id: null,
  tier: "hot",
};

export const metadataExample: z.output<typeof ObjectMetadata> = {
  ...objectExample,
  metadata: { customer: "42" },
  headers: {},
  checksums: { CRC32: "yZRlqg==" },
  restore: null,
  retention: null,
  legal_hold: false,
};
