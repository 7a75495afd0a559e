import type { Examples } from "./openapi-example";

const ULID = "01jd0z3k5q8v6w2x4y7a9b1c3d";
const AT = "2026-11-20T09:00:00.000Z";
const page = (...data: object[]) => ({ data, next_cursor: null });
const NEXT = { limit: 50 };

const token = {
  ...{ access_token: "eyJhbGciOiJIUzI1NiJ9.e30.…", token_type: "Bearer", expires_in: 3600 },
  tenant_id: `ten_${ULID}`,
};

const project = { id: `prj_${ULID}`, name: "Checkout", active_keys: 1, created_at: AT };

const newKey = { name: "ci", project: project.id, scopes: ["ads:read", "ads:write"] };
const key = {
  ...{ id: `key_${ULID}`, project_id: project.id, mode: "live", name: newKey.name, scopes: newKey.scopes },
  ...{ allowed_addresses: ["203.0.113.0/24"], last_four: "q7vd", created_at: AT, expires_at: null },
  ...{ rotated_at: null, previous_secret_until: null, revoked_at: null, last_used_at: null },
};
const rotated = { ...key, rotated_at: "2026-11-20T10:00:00.000Z", previous_secret_until: "2026-11-20T10:00:20.000Z" };
const KEY_PATH = { id: key.id };
const SECRET = { key: "svc_live_…" };

const quota = {
  ...{ resource: "campaigns", limit: 1000, used: 12, default_limit: 1000, unit: "campaigns" },
  ...{ description: "Campaigns that are not archived", liftable: true },
};

const entry = {
  ...{ id: `aud_${ULID}`, sequence: 42, at: AT, action: "project.created" },
  ...{ actor: { type: "api_key", id: key.id, name: key.name }, targets: [{ type: "project", id: project.id }] },
  ...{ context: { request_id: "req_7f3k", address: "203.0.113.7", user_agent: "curl/8.9" }, details: {} },
  ...{ hash: "9f2c".repeat(16), previous_hash: "41d0".repeat(16) },
};

/** Examples of the operations on accounts: log-in, keys, projects, the tenant, its limits and its audit log. */
export const accountExamples: Examples = {
  logIn: { input: { email: "ada@publisher.example", password: "correct horse battery" }, output: token },
  refreshSession: { output: token },
  logOut: {},
  createKey: {
    input: { ...newKey, mode: "live", allowed_addresses: key.allowed_addresses },
    output: { ...key, ...SECRET },
  },
  listKeys: { input: { ...NEXT, state: "active" }, output: page(key) },
  getKey: { input: KEY_PATH, output: key },
  rotateKey: { input: { ...KEY_PATH, grace_seconds: 20 }, output: { ...rotated, ...SECRET } },
  revokeKey: { input: KEY_PATH, output: { ...key, revoked_at: "2026-11-20T10:00:00.000Z" } },
  createProject: { input: { name: project.name }, output: project },
  listProjects: { input: NEXT, output: page(project) },
  getProject: { input: { id: project.id }, output: project },
  updateProject: { input: { id: project.id, name: "Shop" }, output: { ...project, name: "Shop" } },
  deleteProject: { input: { id: project.id } },
  getTenant: { output: { id: token.tenant_id, name: "Fjell", is_demo: false, created_at: AT } },
  listAudit: { input: { ...NEXT, action: "project.*" }, output: page(entry) },
  verifyAudit: { output: { valid: true, entries: 42, first_bad_sequence: null, head_hash: entry.hash } },
  listQuotas: { output: page(quota) },
};
