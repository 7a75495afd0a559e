import { z } from "zod";
import { ApiKey, ApiKeyWithSecret } from "../identity/api-keys/api-key";
import { CreateApiKey, createApiKey } from "../identity/api-keys/create-api-key";
import { GetApiKey, getApiKey } from "../identity/api-keys/get-api-key";
import { ListApiKeys, listApiKeys } from "../identity/api-keys/list-api-keys";
import { RevokeApiKey, revokeApiKey } from "../identity/api-keys/revoke-api-key";
import { RotateApiKey, rotateApiKey } from "../identity/api-keys/rotate-api-key";
import { AuditEntry } from "../identity/audit/audit-entry";
import { ListAudit, listAudit } from "../identity/audit/list-audit";
import { AuditVerdict, VerifyAudit, verifyAudit } from "../identity/audit/verify-audit";
import { CreateProject, createProject } from "../identity/projects/create-project";
import { DeleteProject, deleteProject } from "../identity/projects/delete-project";
import { GetProject, getProject } from "../identity/projects/get-project";
import { ListProjects, listProjects } from "../identity/projects/list-projects";
import { Project } from "../identity/projects/project";
import { UpdateProject, updateProject } from "../identity/projects/update-project";
import { ListQuotas, listQuotas } from "../identity/quotas/list-quotas";
import { Quota } from "../identity/quotas/quota";
import { GetTenant, getTenant } from "../identity/tenants/get-tenant";
import { Tenant } from "../identity/tenants/tenant";
import { pageOf } from "../kernel/page";
import type { CloudCtx } from "./cloud-ctx";
import { type AnyEndpoint, endpoint } from "./endpoint";

const KEYS = { tag: "API keys", idempotent: false } as const;
const PROJECTS = { tag: "Projects", idempotent: false } as const;
const AUDIT = { tag: "Audit log", method: "GET", access: "audit:read", idempotent: false, status: 200 } as const;
const TENANT = { tag: "Tenant", method: "GET", cost: "cheap", idempotent: false, status: 200 } as const;

/** What an account is made of: keys, projects, the tenant, its limits, and the log of what changed. */
export const accountRows: readonly AnyEndpoint<CloudCtx>[] = [
  endpoint({
    ...KEYS,
    id: "createKey",
    method: "POST",
    path: "/v1/keys",
    summary: "Create an API key, shown once",
    access: "keys:write",
    cost: "normal",
    idempotent: true,
    input: CreateApiKey,
    output: ApiKeyWithSecret,
    status: 201,
    run: createApiKey,
  }),
  endpoint({
    ...KEYS,
    id: "listKeys",
    method: "GET",
    path: "/v1/keys",
    summary: "List API keys",
    access: "keys:read",
    cost: "cheap",
    input: ListApiKeys,
    output: pageOf(ApiKey),
    status: 200,
    run: listApiKeys,
  }),
  endpoint({
    ...KEYS,
    id: "getKey",
    method: "GET",
    path: "/v1/keys/{id}",
    summary: "Get an API key",
    access: "keys:read",
    cost: "cheap",
    input: GetApiKey,
    output: ApiKey,
    status: 200,
    run: getApiKey,
  }),
  endpoint({
    ...KEYS,
    id: "rotateKey",
    method: "POST",
    path: "/v1/keys/{id}/rotate",
    summary: "Replace an API key's secret by a new one, shown once",
    access: "keys:write",
    cost: "normal",
    // It creates nothing, but an answer that got lost would take the secret with it.
    idempotent: true,
    input: RotateApiKey,
    output: ApiKeyWithSecret,
    status: 200,
    run: rotateApiKey,
  }),
  endpoint({
    ...KEYS,
    id: "revokeKey",
    method: "POST",
    path: "/v1/keys/{id}/revoke",
    summary: "Revoke an API key for good",
    access: "keys:write",
    cost: "normal",
    input: RevokeApiKey,
    output: ApiKey,
    status: 200,
    run: revokeApiKey,
  }),
  endpoint({
    ...PROJECTS,
    id: "createProject",
    method: "POST",
    path: "/v1/projects",
    summary: "Create a project",
    access: "projects:write",
    cost: "normal",
    idempotent: true,
    input: CreateProject,
    output: Project,
    status: 201,
    run: createProject,
  }),
  endpoint({
    ...PROJECTS,
    id: "listProjects",
    method: "GET",
    path: "/v1/projects",
    summary: "List projects",
    access: "projects:read",
    cost: "cheap",
    input: ListProjects,
    output: pageOf(Project),
    status: 200,
    run: listProjects,
  }),
  endpoint({
    ...PROJECTS,
    id: "getProject",
    method: "GET",
    path: "/v1/projects/{id}",
    summary: "Get a project",
    access: "projects:read",
    cost: "cheap",
    input: GetProject,
    output: Project,
    status: 200,
    run: getProject,
  }),
  endpoint({
    ...PROJECTS,
    id: "updateProject",
    method: "PATCH",
    path: "/v1/projects/{id}",
    summary: "Rename a project",
    access: "projects:write",
    cost: "normal",
    input: UpdateProject,
    output: Project,
    status: 200,
    run: updateProject,
  }),
  endpoint({
    ...PROJECTS,
    id: "deleteProject",
    method: "DELETE",
    path: "/v1/projects/{id}",
    summary: "Archive a project without active keys",
    access: "projects:write",
    cost: "normal",
    input: DeleteProject,
    output: z.void(),
    status: 204,
    run: deleteProject,
  }),
  endpoint({
    ...TENANT,
    id: "getTenant",
    path: "/v1/tenants/me",
    summary: "Get the calling tenant",
    access: "signed_in",
    input: GetTenant,
    output: Tenant,
    run: getTenant,
  }),
  endpoint({
    ...TENANT,
    id: "listQuotas",
    path: "/v1/quotas",
    summary: "List limits and how much of them is used",
    access: "usage:read",
    input: ListQuotas,
    output: pageOf(Quota),
    run: listQuotas,
  }),
  endpoint({
    ...AUDIT,
    id: "listAudit",
    path: "/v1/audit",
    summary: "List what changed, newest first",
    cost: "cheap",
    input: ListAudit,
    output: pageOf(AuditEntry),
    run: listAudit,
  }),
  endpoint({
    ...AUDIT,
    id: "verifyAudit",
    path: "/v1/audit/verify",
    summary: "Verify that nothing in the audit log was changed, removed or added",
    // It reads the whole log.
    cost: "bulk",
    input: VerifyAudit,
    output: AuditVerdict,
    run: (ctx) => verifyAudit(ctx, ctx.actor.tenantId),
  }),
];
