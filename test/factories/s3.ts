import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { S3Client, type S3ClientConfig } from "@aws-sdk/client-s3";
import { pino } from "pino";
import { createStorageCredentials } from "../../server/cloud/data/buckets/create-storage-credentials";
import { createApiKey } from "../../server/identity/api-keys/create-api-key";
import { newId } from "../../server/kernel/ids";
import type { Mode, Scope } from "../../server/operation/actor";
import { createClientAddress } from "../../server/surfaces/http/client-address";
import { createHttpServer } from "../../server/surfaces/http/create-server";
import { makeTenant, TEST_REQUEST, type TestAppOptions, testApp } from "./app";
import { freePort } from "./free-port";

/** The S3 endpoint of svc over HTTP, on real engines. */
export async function s3Server({ env = {}, ...options }: TestAppOptions = {}) {
  const port = await freePort();
  const publicUrl = `http://localhost:${port}`;
  const test = await testApp({ env: { PUBLIC_URL: publicUrl, S3_HOST: "s3.test", ...env }, ...options });
  const { server, serve } = createHttpServer({
    tls: undefined,
    publicUrl,
    allowedHosts: [],
    s3Host: test.config.s3Host,
    log: pino({ level: "silent" }),
  });
  const { s3 } = test.app;
  const serveS3 = (...call: Parameters<typeof s3.serve>) => void s3.serve(...call);
  serve({
    direct: [],
    streams: [{ takes: s3.takes, serve: serveS3 }],
    rest: { ...s3.rest, serve: serveS3 },
    pageNames: new Set(["docs"]),
    clientAddress: createClientAddress(["127.0.0.1"]),
    pages: (_, outgoing) => void outgoing.writeHead(404).end("no page"),
  });
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  const stop = async () => {
    server.close().closeAllConnections();
    await test.stop();
  };
  return { test, port: (server.address() as AddressInfo).port, url: `${publicUrl}/v1/s3`, stop };
}

export type S3Server = Awaited<ReturnType<typeof s3Server>>;

interface S3KeyFields {
  scopes?: Scope[];
  mode?: Mode;
  /** Default: a project of its own. */
  projectId?: string;
}

/** A tenant with API keys and their S3 credentials. */
export async function s3Tenant(server: S3Server) {
  const { test } = server;
  const ctx = await makeTenant(test);
  const project = async () => {
    const now = test.clock.now();
    const id = newId("prj", now.getTime());
    await ctx.db.project.create({ data: { id, tenantId: ctx.tenantId, name: id, createdAt: now } });
    return id;
  };
  const projectId = await project();
  const key = async ({ scopes = ["storage:read", "storage:write"], mode = "live", ...rest }: S3KeyFields = {}) => {
    const fields = { name: "S3", scopes, mode, project: rest.projectId ?? projectId };
    const made = await createApiKey.run(ctx, createApiKey.input.parse(fields));
    const cloud = { ...test.app.cloud, actor: ctx.actor, request: TEST_REQUEST };
    const credentials = await createStorageCredentials.run(cloud, { api_key_id: made.id });
    return {
      id: made.id,
      bearer: made.key,
      credentials: { accessKeyId: credentials.access_key_id, secretAccessKey: credentials.secret_access_key },
    };
  };
  return { ctx, projectId, project, key };
}

/** A client as any program would create it; it does not retry, so that a test sees each response. */
export const s3Client = (
  { url }: Pick<S3Server, "url">,
  credentials: S3ClientConfig["credentials"],
  options: S3ClientConfig = {},
): S3Client =>
  new S3Client({
    endpoint: url,
    region: "us-east-1",
    forcePathStyle: true,
    maxAttempts: 1,
    ...(credentials && { credentials }),
    ...options,
  });

/** The error of S3 that a call fails with; fails the test if it succeeds. */
export async function s3Refusal(call: Promise<unknown>): Promise<{ code: string; status: number | undefined }> {
  const failure = await call.then(
    () => undefined,
    (error: { name: string; $metadata?: { httpStatusCode?: number } }) => error,
  );
  if (!failure) throw new Error("the call succeeded");
  return { code: failure.name, status: failure.$metadata?.httpStatusCode };
}
