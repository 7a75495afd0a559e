import { createHash, randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** What an image says about itself and what it contains; layers are compressed by the caller. */
export interface DoubleImage {
  layers: readonly { bytes: Buffer; mediaType?: string }[];
  config: Record<string, unknown>;
  architecture?: string;
  os?: string;
  /** What the configuration says of the layers without compression; absent: nothing. */
  diffIds?: readonly string[];
}

export interface RegistryDoubleOptions {
  /** `bearer`: a token of the double's own token server is needed. */
  auth?: "none" | "basic" | "bearer";
  /** Without them, the token server gives tokens to everyone. */
  credentials?: { username: string; password: string };
}

export interface RegistryRequest {
  path: string;
  authorization: string | undefined;
}

const MANIFEST = "application/vnd.oci.image.manifest.v1+json";
const INDEX = "application/vnd.oci.image.index.v1+json";
const GZIP_LAYER = "application/vnd.oci.image.layer.v1.tar+gzip";

export const sha256 = (bytes: Buffer | string): string => `sha256:${createHash("sha256").update(bytes).digest("hex")}`;
export const HOST_ARCHITECTURE = process.arch === "x64" ? "amd64" : process.arch;

/** A registry on loopback, in memory, with the part of the distribution API that pulls use. Not a real registry. */
export async function startRegistryDouble({ auth = "none", credentials }: RegistryDoubleOptions = {}) {
  const manifests = new Map<string, { bytes: Buffer; mediaType: string }>();
  const blobs = new Map<string, Buffer>();
  /** Digests whose blobs are served by a redirect to this URL prefix. */
  const redirects = new Map<string, string>();
  /** Digests whose blobs are cut off in the middle. */
  const cut = new Set<string>();
  /** Digests, and `name@version` of manifests, that are served a byte at a time, with so many ms between two. */
  const slow = new Map<string, number>();
  const requests: RegistryRequest[] = [];
  const tokens = new Set<string>();
  const server = createServer((request, response) => {
    const { authorization } = request.headers;
    requests.push({ path: request.url ?? "", authorization });
    serve(request, response);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;

  const isAuthorized = (authorization: string | undefined): boolean => {
    if (auth === "none") return true;
    if (auth === "basic") return authorization === basicOf(credentials);
    return tokens.has(authorization?.replace("Bearer ", "") ?? "");
  };

  function serve(request: IncomingMessage, response: ServerResponse): void {
    const url = new URL(request.url ?? "", `http://${host}`);
    const { authorization } = request.headers;
    if (url.pathname === "/token") return void serveToken(authorization, response);
    const elsewhere = /^\/elsewhere\/(.+)$/.exec(url.pathname)?.[1];
    if (elsewhere) return void response.end(blobs.get(elsewhere));
    if (!isAuthorized(authorization)) {
      const challenge =
        auth === "basic" ? 'Basic realm="registry"' : `Bearer realm="http://${host}/token",service="double"`;
      return void response.writeHead(401, { "www-authenticate": challenge }).end();
    }
    const [, kind, reference = ""] = /^\/v2\/.+\/(manifests|blobs)\/(.+)$/.exec(url.pathname) ?? [];
    const name = url.pathname.slice("/v2/".length, url.pathname.indexOf(`/${kind}/`));
    if (kind === "manifests") {
      const found = manifests.get(`${name}@${reference}`);
      if (found) {
        response.writeHead(200, { "content-type": found.mediaType });
        return void send(response, found.bytes, slow.get(`${name}@${reference}`));
      }
    }
    const redirect = redirects.get(reference);
    if (redirect) return void response.writeHead(307, { location: `${redirect}/${reference}` }).end();
    const blob = kind === "blobs" ? blobs.get(reference) : undefined;
    if (blob && cut.has(reference)) {
      response.writeHead(200, { "content-length": blob.length });
      response.write(blob.subarray(0, blob.length / 2), () => response.destroy());
    } else if (blob) send(response.writeHead(200, { "content-length": blob.length }), blob, slow.get(reference));
    else response.writeHead(404).end("{}");
  }

  function serveToken(authorization: string | undefined, response: ServerResponse): void {
    if (credentials && authorization !== basicOf(credentials)) return void response.writeHead(401).end();
    const token = randomUUID();
    tokens.add(token);
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ token }));
  }

  const descriptorOf = (bytes: Buffer, mediaType: string) => ({ mediaType, digest: sha256(bytes), size: bytes.length });

  const addManifest = (names: readonly string[], document: unknown, mediaType: string) => {
    const bytes = Buffer.from(JSON.stringify(document));
    const digest = sha256(bytes);
    for (const [name = "", version] of names.map((named) => named.split(":"))) {
      for (const reference of [digest, version ?? "latest"])
        manifests.set(`${name}@${reference}`, { bytes, mediaType });
    }
    return descriptorOf(bytes, mediaType);
  };

  /** Adds an image by name, `app` or `app:tag`, and returns the reference to pull. */
  function add(name: string, { layers, config, architecture = HOST_ARCHITECTURE, os = "linux", diffIds }: DoubleImage) {
    const rootfs = { type: "layers", diff_ids: diffIds };
    const configBytes = Buffer.from(JSON.stringify({ os, architecture, config, rootfs }));
    const descriptors = layers.map(({ bytes, mediaType = GZIP_LAYER }) => {
      blobs.set(sha256(bytes), bytes);
      return descriptorOf(bytes, mediaType);
    });
    blobs.set(sha256(configBytes), configBytes);
    const document = { schemaVersion: 2, config: descriptorOf(configBytes, "application/json"), layers: descriptors };
    const manifest = addManifest([name], document, MANIFEST);
    return { reference: `${host}/${name}`, manifest, layers: descriptors };
  }

  /** Adds an index of images, or of indexes, that were added under the same name. */
  function addIndex(name: string, images: readonly { architecture?: string; manifest: object }[]) {
    addIndexed(name, images);
    return `${host}/${name}`;
  }

  /** `addIndex`, for the entry of another one. */
  function addIndexed(name: string, images: readonly { architecture?: string; manifest: object }[]) {
    const entries = images.map(({ architecture, manifest }) => ({
      ...manifest,
      ...(architecture !== undefined && { platform: { os: "linux", architecture } }),
    }));
    return addManifest([name], { schemaVersion: 2, manifests: entries }, INDEX);
  }

  const stop = async () => {
    server.closeAllConnections();
    server.close();
    await once(server, "close");
  };
  return { host, add, addIndex, addIndexed, blobs, cut, redirects, requests, manifests, slow, stop };
}

function send(response: ServerResponse, bytes: Buffer, everyMs: number | undefined): void {
  if (everyMs === undefined) return void response.end(bytes);
  let sent = 0;
  const timer = setInterval(() => {
    if (sent < bytes.length) response.write(bytes.subarray(sent, ++sent));
    else response.end();
  }, everyMs);
  response.once("close", () => clearInterval(timer));
}

const basicOf = (credentials: RegistryDoubleOptions["credentials"]): string =>
  `Basic ${Buffer.from(`${credentials?.username}:${credentials?.password}`).toString("base64")}`;
