import { createHash } from "node:crypto";
import type { Readable } from "node:stream";
import { mediaTypeOf } from "../../../kernel/media-type";
import { type AddressPolicy, GuardedFetchError, hostOf, isLoopbackHost } from "../../address-policy";
import { type GuardedResponse, guardedRequest, type Network } from "../../guarded-fetch";
import { type RegistryCredentials, RuntimeError } from "../runtime";
import { type Descriptor, MANIFEST_TYPES } from "./image-documents";
import { DIGEST, type ImageReference } from "./image-reference";
import type { PullPace } from "./pull-turns";
import { readText } from "./read-text";
import { basicAuthorization, parseChallenge, parseToken } from "./registry-auth";
import { stopWhenSlow } from "./stop-when-slow";

export interface RegistrySettings {
  /** Which addresses may be requested; http is used on loopback addresses, if these are allowed. */
  policy: AddressPolicy;
  network?: Network | undefined;
  pace: PullPace;
}

interface RegistryAccess extends RegistrySettings {
  credentials: RegistryCredentials | undefined;
  /** Ends every request and download. */
  signal: AbortSignal;
}

const HEADERS_TIMEOUT_MS = 30_000;
const REDIRECTS_MAX = 5;
/** The largest document that registries must accept (OCI distribution specification). */
const DOCUMENT_BYTES_MAX = 4 * 1024 * 1024;
const TOKEN_BYTES_MAX = 64 * 1024;

/** Reads one repository of a registry with its HTTP API, version 2. Every method throws RuntimeError. */
export class RegistryClient {
  #authorization: string | undefined;

  constructor(
    readonly image: ImageReference,
    readonly access: RegistryAccess,
  ) {}

  /** A manifest or index by tag or digest; the text of one by digest is verified. */
  async manifest(version: string): Promise<{ text: string; mediaType: string }> {
    const response = await this.#get(`manifests/${version}`, MANIFEST_TYPES.join(", "));
    const text = await this.#document(response);
    if (DIGEST.test(version)) this.#verify(text, version);
    return { text, mediaType: mediaTypeOf(response.headers["content-type"]) };
  }

  /** The verified text of a small blob. */
  async document({ digest }: Descriptor): Promise<string> {
    const text = await this.#document(await this.#get(`blobs/${digest}`, "*/*"));
    this.#verify(text, digest);
    return text;
  }

  /** The bytes of a blob, which the caller verifies. The stream fails when they arrive too slowly. */
  async blob({ digest }: Descriptor): Promise<Readable> {
    const { body, close } = await this.#get(`blobs/${digest}`, "*/*");
    body.once("close", close);
    const { pace } = this.access;
    const perSecond = Math.ceil((pace.windowBytesMin * 1000) / pace.windowMs);
    const why = `the download stopped or is slower than ${perSecond} bytes per second`;
    return stopWhenSlow(body, { pace, failure: () => this.#error("registry_unreachable", why) });
  }

  async #get(path: string, accept: string): Promise<GuardedResponse> {
    const { registry, repository } = this.image;
    const url = `${this.#scheme()}://${registry}/v2/${repository}/${path}`;
    const first = await this.#follow(url, accept);
    if (first.status !== 401) return this.#successful(first);
    first.close();
    this.#authorization = await this.#authorize(first.headers["www-authenticate"]);
    return this.#successful(await this.#follow(url, accept));
  }

  #scheme(): "http" | "https" {
    const isDevelopment =
      this.access.policy.allowsLoopback && isLoopbackHost(hostOf(new URL(`http://${this.image.registry}`)));
    return isDevelopment ? "http" : "https";
  }

  /** Blobs are often on other hosts, which must not receive the registry's credentials. */
  async #follow(url: string, accept: string): Promise<GuardedResponse> {
    const { origin } = new URL(url);
    let target = url;
    for (let redirects = 0; redirects <= REDIRECTS_MAX; redirects++) {
      const mayAuthorize = this.#authorization !== undefined && new URL(target).origin === origin;
      const authorization = mayAuthorize ? { authorization: this.#authorization ?? "" } : {};
      const response = await this.#request(target, { accept, ...authorization });
      const { location } = response.headers;
      if (response.status < 300 || response.status > 399 || location === undefined) return response;
      response.close();
      if (!URL.canParse(location, target)) throw this.#error("registry_failed", "it redirects to an invalid URL");
      target = new URL(location, target).href;
    }
    throw this.#error("registry_failed", `it redirects more than ${REDIRECTS_MAX} times`);
  }

  async #authorize(header: string | undefined): Promise<string> {
    const { credentials } = this.access;
    const challenge = parseChallenge(header, this.image.repository);
    if (challenge === undefined) throw this.#error("registry_failed", "its way of authentication is not supported");
    const basic = credentials && basicAuthorization(credentials);
    if (challenge.scheme === "basic") {
      if (basic === undefined) throw this.#unauthorized();
      return basic;
    }
    const response = await this.#request(challenge.url, basic === undefined ? {} : { authorization: basic });
    const body = await this.#read(response, TOKEN_BYTES_MAX);
    if (response.status === 401 || response.status === 403) throw this.#unauthorized();
    const token = response.status === 200 ? parseToken(body) : undefined;
    if (token === undefined) throw this.#error("registry_failed", `its token server returned ${response.status}`);
    return `Bearer ${token}`;
  }

  async #request(url: string, headers: Record<string, string>): Promise<GuardedResponse> {
    const { policy, network, signal } = this.access;
    try {
      return await guardedRequest(url, {
        timeoutMs: HEADERS_TIMEOUT_MS,
        policy,
        network,
        signal,
        headers: { ...headers, "user-agent": "svc" },
      });
    } catch (cause) {
      signal.throwIfAborted();
      const why = cause instanceof GuardedFetchError ? cause.message.replace(/\.$/, "") : codeOf(cause);
      throw this.#error("registry_unreachable", why, cause);
    }
  }

  #successful(response: GuardedResponse): GuardedResponse {
    const { status } = response;
    if (status === 200) return response;
    response.close();
    if (status === 401 || status === 403) throw this.#unauthorized();
    if (status === 404) throw this.#error("image_not_found", "the registry has no such repository, tag or blob");
    throw this.#error(
      "registry_failed",
      status === 429 ? "it limits the rate of downloads (429)" : `it returned ${status}`,
    );
  }

  #document(response: GuardedResponse): Promise<string> {
    return this.#read(response, DOCUMENT_BYTES_MAX);
  }

  async #read({ body, close }: GuardedResponse, bytesMax: number): Promise<string> {
    try {
      const { documentMs } = this.access.pace;
      const why = `a document was not complete after ${documentMs / 1000} s`;
      const failure = () => this.#error("registry_unreachable", why);
      // All of it in one window.
      const pace = { windowMs: documentMs, windowBytesMin: Number.POSITIVE_INFINITY };
      return await readText(stopWhenSlow(body, { pace, failure }), bytesMax);
    } catch (cause) {
      this.access.signal.throwIfAborted();
      if (cause instanceof RuntimeError) throw cause;
      throw this.#error(
        "registry_failed",
        cause instanceof Error ? cause.message.replace(/\.$/, "") : "it failed",
        cause,
      );
    } finally {
      close();
    }
  }

  #verify(text: string, digest: string): void {
    const actual = `sha256:${createHash("sha256").update(text).digest("hex")}`;
    if (actual !== digest) throw this.#error("digest_mismatch", `${digest} has the content of ${actual}`);
  }

  #unauthorized(): RuntimeError {
    const why = this.access.credentials
      ? "the credentials are not accepted"
      : "the image does not exist or needs credentials";
    return this.#error("registry_unauthorized", why);
  }

  #error(reason: RuntimeError["reason"], why: string, cause?: unknown): RuntimeError {
    return new RuntimeError(reason, `${this.image.text} cannot be pulled from ${this.image.registry}: ${why}.`, {
      cause,
    });
  }
}

const codeOf = (cause: unknown): string =>
  cause instanceof Error && "code" in cause && typeof cause.code === "string" ? cause.code : "the connection failed";
