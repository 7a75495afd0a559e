import { tag, type Xml } from "./write-xml";

/** Who owns a bucket or an object, or began an upload: a tenant, which has no name in S3 but its id. */
export const ownerTag = (name: "Owner" | "Initiator", tenantId: string): Xml =>
  tag(name, tag("ID", tenantId), tag("DisplayName", tenantId));
