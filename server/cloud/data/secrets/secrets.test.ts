import { randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import { openForFile } from "../../../../test/factories/open-for-file";
import { call, webhookTest } from "../../../../test/factories/webhooks";
import { createProject } from "../../../identity/projects/create-project";
import { setQuota } from "../../../identity/quotas/set-quota";
import { ServiceError } from "../../../kernel/errors";
import { createSecret } from "./create-secret";
import { deleteSecret } from "./delete-secret";
import { getSecret } from "./get-secret";
import { listSecrets } from "./list-secrets";
import { putSecret } from "./put-secret";
import { resolveSecret } from "./resolve-secret";
import { revealSecret } from "./reveal-secret";
import { rotateMasterKey } from "./rotate-master-key";
import type { SecretCtx } from "./secret-ctx";
import { SECRET_QUOTAS } from "./secrets.quotas";

const test = await openForFile(webhookTest());
const tenant = await test.tenant();
const ctx = tenant.key("live");

let names = 0;
const newName = () => `SECRET_${++names}`;
const put = (name: string, value: string, { as = ctx, ...fields }: { as?: SecretCtx; tenant?: boolean } = {}) =>
  call(as, putSecret, { name, value, ...fields });
const reveal = async (name: string, fields: object = {}, as = ctx) =>
  (await call(as, revealSecret, { name, ...fields })).value;
const owner = () => ({ tenantId: tenant.tenantId, projectId: tenant.projectId, mode: "live" as const });
const refusal = async (work: Promise<unknown>) => {
  const cause = await work.then(
    () => undefined,
    (one: unknown) => one,
  );
  if (!(cause instanceof ServiceError)) throw new Error(`not refused: ${String(cause)}`);
  return { code: cause.code, reason: cause.details?.reason };
};

describe("a secret", () => {
  it("has versions, of which the last 10 keep their values", async () => {
    const name = newName();
    for (let version = 1; version <= 12; version++) {
      expect(await put(name, `value ${version}`)).toMatchObject({ name, version, project_id: tenant.projectId });
    }
    const { versions } = await call(ctx, getSecret, { name });
    expect(versions.map(({ version }) => version)).toEqual([12, 11, 10, 9, 8, 7, 6, 5, 4, 3]);
    expect(await reveal(name)).toBe("value 12");
    expect(await reveal(name, { version: "3" })).toBe("value 3");
    expect(await refusal(reveal(name, { version: "2" }))).toMatchObject({ code: "not_found" });
  });

  it("keeps any text of 1 byte to 64 KiB", async () => {
    const name = newName();
    for (const value of [" ", "line\r\nline ", "ü✓🔑".repeat(5000), "a".repeat(65_536)]) {
      await put(name, value);
      expect(await reveal(name)).toBe(value);
    }
    for (const value of ["", "a".repeat(65_537), "ü".repeat(32_769)]) {
      const { error } = putSecret.input.safeParse({ name, value });
      expect(error?.issues.map(({ path }) => path)).toEqual([["value"]]);
      expect(JSON.stringify(error)).not.toContain("aaa");
    }
  });

  it("of the project comes before that of the tenant; each is stored and deleted by itself", async () => {
    const name = newName();
    await put(name, "of the tenant", { tenant: true });
    expect([await reveal(name), await resolveSecret(ctx, owner(), { secret: name })]).toEqual(
      Array(2).fill("of the tenant"),
    );
    expect(await refusal(call(ctx, deleteSecret, { name }))).toMatchObject({ code: "not_found" });
    await call(ctx, createSecret, { name, value: "of the project" });
    expect(await refusal(call(ctx, createSecret, { name, value: "x" }))).toMatchObject({ reason: "name_taken" });
    expect([await reveal(name), await resolveSecret(ctx, owner(), { secret: name })]).toEqual(
      Array(2).fill("of the project"),
    );
    expect(await reveal(name, { tenant: "true" })).toBe("of the tenant");
    await call(ctx, deleteSecret, { name });
    expect(await resolveSecret(ctx, owner(), { secret: name })).toBe("of the tenant");
    await call(ctx, deleteSecret, { name, tenant: "true" });
    expect(await refusal(resolveSecret(ctx, owner(), { secret: name }))).toEqual({
      code: "unprocessable",
      reason: "no_such_secret",
    });
  });

  it("is not there for another mode, project or tenant", async () => {
    const name = newName();
    const { id } = await put(name, "mine");
    const shared = await put(newName(), "ours", { tenant: true });
    const project = await createProject.run(tenant.ctx, { name: "other" });
    const elsewhere = { ...ctx, actor: { ...ctx.actor, projectId: project.id } as SecretCtx["actor"] };
    const stranger = (await test.tenant()).key("live");
    for (const [other, asked] of [
      ...[tenant.key("test"), elsewhere, stranger].flatMap((one) => [[one, name] as const, [one, id] as const]),
      [tenant.key("test"), shared.id] as const,
      [stranger, shared.name] as const,
    ]) {
      for (const operation of [getSecret, revealSecret, deleteSecret]) {
        expect(await refusal(call(other, operation as typeof getSecret, { name: asked }))).toMatchObject({
          code: "not_found",
        });
      }
    }
    expect(await reveal(shared.name, {}, elsewhere)).toBe("ours");
    const listed = await call(elsewhere, listSecrets, {});
    expect(listed.data.map((one) => one.id)).toContain(shared.id);
    expect(listed.data.map((one) => one.id)).not.toContain(id);
  });

  it("that is put by many calls at once has one version of each", async () => {
    const name = newName();
    const versions = await Promise.all(Array.from({ length: 8 }, (_, i) => put(name, `value ${i}`)));
    expect(versions.map(({ version }) => version).sort()).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    expect(new Set(versions.map(({ id }) => id)).size).toBe(1);
  });

  it("counts against the quota, also with put, but a new version does not", async () => {
    const other = await test.tenant();
    const quotas = [SECRET_QUOTAS.secrets];
    const limit = { tenant_id: other.tenantId, resource: "secrets", limit: 1 };
    await setQuota({ ...ctx, quotas } as never, limit);
    await put("one", "value", { as: other.ctx });
    expect(await refusal(put("two", "value", { as: other.ctx }))).toMatchObject({ code: "quota_exceeded" });
    expect(await put("one", "another value", { as: other.ctx })).toMatchObject({ version: 2 });
  });

  it("that is revealed leaves an entry in the audit log, without the value", async () => {
    const name = newName();
    const { id } = await put(name, "correct horse battery");
    await reveal(name);
    const entries = await test.db.auditEntry.findMany({ where: { tenantId: tenant.tenantId } });
    const own = entries.filter(({ targets }) => JSON.stringify(targets).includes(id));
    expect(own.map(({ action, details }) => [action, details])).toEqual([
      ["secret.created", expect.objectContaining({ name })],
      ["secret.revealed", { version: 1 }],
    ]);
    expect(JSON.stringify(own, (_, part) => (typeof part === "bigint" ? 0 : part))).not.toContain("correct horse");
  });

  it("whose rows were exchanged or changed is not decrypted", async () => {
    const [a, b] = [await put(newName(), "value a"), await put(newName(), "value b")];
    const copy = `UPDATE secret_versions SET sealed_value = o.sealed_value, wrapped_key = o.wrapped_key
      FROM secret_versions o WHERE secret_versions.secret_id = $1 AND o.secret_id = $2`;
    await test.sql.query(copy, [a.id, b.id]);
    await expect(reveal(a.name)).rejects.toThrow("cannot be decrypted");
    // A rotation would stop at it.
    await call(ctx, deleteSecret, { name: a.name });
  });
});

describe("a rotation of the master key", () => {
  const rotate = (progress: (step: string) => void = () => undefined) => rotateMasterKey(ctx, progress);
  const active = () => test.db.masterKey.findMany({ where: { retiredAt: null } });
  const oldKeys = async (version: number) =>
    test.db.secretVersion.count({ where: { masterKeyVersion: { not: version } } });

  it("wraps every data key with a new version and retires the one before; values stay", async () => {
    const names = Array.from({ length: 12 }, newName);
    for (const name of names) await put(name, `value of ${name}`);
    const total = await test.db.secretVersion.count();
    const [before] = await active();
    const steps: string[] = [];
    const rotation = await rotate((step) => steps.push(step));
    expect(rotation).toEqual({ version: (before?.version ?? 0) + 1, rewrapped: total, resumed: false });
    expect(steps.at(-1)).toBe(`rewrapped ${total} of ${total} data keys`);
    expect((await active()).map(({ version }) => version)).toEqual([rotation.version]);
    expect(await oldKeys(rotation.version)).toBe(0);
    for (const name of names) expect(await reveal(name)).toBe(`value of ${name}`);
  });

  it("while secrets are stored, read and deleted, and twice at once, leaves all readable and no old key", async () => {
    const names = Array.from({ length: 10 }, newName);
    for (const name of names) await put(name, "value 0");
    const doomed = Array.from({ length: 10 }, newName);
    for (const name of doomed) await put(name, "value");
    let rotated = false;
    const rotations = Promise.all([rotate(), rotate()]).finally(() => {
      rotated = true;
    });
    let last = 0;
    do {
      last++;
      await Promise.all(names.map((name) => put(name, `value ${last}`)));
      expect(new Set(await Promise.all(names.map((secret) => resolveSecret(ctx, owner(), { secret }))))).toEqual(
        new Set([`value ${last}`]),
      );
      await Promise.all(doomed.splice(0, 3).map((name) => call(ctx, deleteSecret, { name })));
    } while (!rotated);
    await rotations;
    const [current, ...others] = await active();
    expect(others).toEqual([]);
    expect(await oldKeys(current?.version ?? 0)).toBe(0);
    for (const name of names) expect(await reveal(name)).toBe(`value ${last}`);
  });

  it("that was interrupted is completed by the next run", async () => {
    const name = newName();
    await put(name, "value");
    const [before] = await active();
    const interrupted = rotate(() => {
      throw new Error("killed");
    });
    await expect(interrupted).rejects.toThrow("killed");
    const versions = (await active()).map(({ version }) => version).sort((a, b) => a - b);
    expect(versions).toEqual([before?.version, (before?.version ?? 0) + 1]);
    expect(await reveal(name)).toBe("value");
    expect(await rotate()).toMatchObject({ version: versions[1], resumed: true });
    expect((await active()).map(({ version }) => version)).toEqual([versions[1]]);
  });

  it("under another SVC_SECRET changes nothing, and neither stores nor reveals with it", async () => {
    const name = newName();
    await put(name, "value");
    const other = { ...ctx, secretsKey: randomBytes(32) };
    const stored = await test.db.masterKey.findMany();
    for (const work of [() => rotateMasterKey(other, () => undefined), () => put(name, "x", { as: other })]) {
      expect(await refusal(work())).toEqual({ code: "unavailable", reason: "other_svc_secret" });
    }
    expect(await refusal(reveal(name, {}, other))).toEqual({ code: "unavailable", reason: "other_svc_secret" });
    expect(await test.db.masterKey.findMany()).toEqual(stored);
    expect(await reveal(name)).toBe("value");
  });
});
