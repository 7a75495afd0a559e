import type { Mode } from "../../../operation/actor";

/** An event as requests to webhooks contain it. */
export interface EventBody {
  id: string;
  type: string;
  created_at: string;
  tenant_id: string;
  project_id: string | null;
  mode: Mode;
  data: Record<string, unknown>;
}

/** The columns of an event that its body contains. */
export interface EventFields {
  id: string;
  type: string;
  createdAt: Date;
  tenantId: string;
  projectId: string | null;
  mode: Mode;
  data: unknown;
}

/**
 * The body of an event. The same row always results in the same JSON text, because Postgres returns the fields of
 * `jsonb` in one order.
 */
export const eventBodyOf = ({ id, type, createdAt, tenantId, projectId, mode, data }: EventFields): EventBody => ({
  id,
  type,
  created_at: createdAt.toISOString(),
  tenant_id: tenantId,
  project_id: projectId,
  mode,
  data: data as Record<string, unknown>,
});
