import type { Pool } from "pg";
import { ServiceError } from "../../../kernel/errors";
import type { PublishedFunction } from "./edge-runner";
import type { Hosted } from "./hosted-response";

/** The version that serves at this moment: read for each request, so that no process serves an earlier one. */
export async function publishedBySlug(sql: Pool, slug: string): Promise<PublishedFunction | undefined> {
  const { rows } = await sql.query<PublishedFunction>({
    name: "published_edge_function",
    text: `SELECT f.id, f.tenant_id AS "tenantId", f.project_id AS "projectId", f.mode, v.number AS version, v.bindings, v.env
      FROM edge_functions f JOIN edge_versions v ON v.edge_id = f.id AND v.number = f.published_version
      WHERE f.slug = $1`,
    values: [slug],
  });
  return rows[0];
}

/** What svc sends at a host at this moment. */
export async function hostedBySlug(sql: Pool, slug: string): Promise<Hosted | undefined> {
  const { rows } = await sql.query<Hosted>({
    name: "hosted_response",
    text: "SELECT id, response FROM hosted_responses WHERE slug = $1",
    values: [slug],
  });
  return rows[0];
}

/** Throws `not_found` for a version that is not kept any more. */
export async function edgeVersionCode(
  sql: Pool,
  { edgeId, version }: { edgeId: string; version: number },
): Promise<string> {
  const { rows } = await sql.query<{ code: string }>(
    "SELECT code FROM edge_versions WHERE edge_id = $1 AND number = $2",
    [edgeId, version],
  );
  const [row] = rows;
  if (row) return row.code;
  throw new ServiceError("not_found", `The edge function has no version ${version} any more.`);
}

interface VersionRow {
  number: number;
  bindings: unknown;
  env: unknown;
  smoke: unknown;
  codeBytes: number;
  createdAt: Date;
}

/** The versions of an edge function, newest first, without their code. */
export async function edgeVersionsOf(sql: Pool, edgeId: string): Promise<VersionRow[]> {
  const { rows } = await sql.query<VersionRow>(
    `SELECT number, bindings, env, smoke, octet_length(code) AS "codeBytes", created_at AS "createdAt"
      FROM edge_versions WHERE edge_id = $1 ORDER BY number DESC`,
    [edgeId],
  );
  return rows;
}
