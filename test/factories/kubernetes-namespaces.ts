import { randomBytes, randomUUID } from "node:crypto";

export interface NamespacedObject {
  apiVersion?: string;
  kind?: string;
  metadata: {
    name: string;
    namespace?: string;
    uid: string;
    resourceVersion: string;
    labels?: Record<string, string>;
    deletionTimestamp?: string;
  };
  spec?: Record<string, unknown>;
  data?: Record<string, string>;
  status?: Record<string, unknown>;
}

export interface NamespacesCall {
  method: string;
  url: URL;
  body: Record<string, unknown> & { metadata?: Partial<NamespacedObject["metadata"]> };
  authorization: string | undefined;
}

interface Reply {
  status: number;
  object: unknown;
}

/** What clients such as kubectl ask first; verbs are those that the double has. */
const VERBS = ["create", "delete", "get", "list", "patch"];
const RESOURCES = [
  {
    name: "configmaps",
    singularName: "configmap",
    namespaced: true,
    kind: "ConfigMap",
    verbs: VERBS,
    shortNames: ["cm"],
  },
  { name: "pods", singularName: "pod", namespaced: true, kind: "Pod", verbs: VERBS, shortNames: ["po"] },
];
const DISCOVERY: Readonly<Record<string, object>> = {
  "/api": { kind: "APIVersions", versions: ["v1"] },
  "/apis": { kind: "APIGroupList", apiVersion: "v1", groups: [] },
  "/api/v1": { kind: "APIResourceList", groupVersion: "v1", resources: RESOURCES },
};

/**
 * The part of the double of a cluster's API that has namespaces, with objects of any kind and the tokens of service
 * accounts. A token is accepted for the namespace of its account alone, whatever the roles say.
 */
export class KubernetesNamespaces {
  /** By their path. */
  readonly objects = new Map<string, NamespacedObject>();
  readonly #tokens = new Map<string, string>();
  #version = 0;

  /** undefined: the call is not about a namespace, or about that of svc. */
  reply(call: NamespacesCall): Reply | undefined {
    const path = call.url.pathname;
    const token = call.authorization?.replace(/^Bearer /, "");
    const denied = token === undefined ? undefined : this.#deniedTo(token, path);
    if (denied) return denied;
    if (call.method === "GET" && DISCOVERY[path]) return { status: 200, object: DISCOVERY[path] };
    if (/^\/api\/v1\/namespaces\/svc(\/|$)/.test(path)) return undefined;
    const [, base, namespace, kind, name, part] =
      /^(\/api\/v1|\/apis\/[^/]+\/[^/]+)\/namespaces\/([^/]+)(?:\/([^/]+)(?:\/([^/]+)(?:\/([^/]+))?)?)?$/.exec(path) ??
      [];
    if (base !== undefined && namespace !== undefined) {
      if (namespace === "svc") return undefined;
      return kind === undefined ? this.#one(call, path) : this.#inNamespace(call, { namespace, name, part });
    }
    if (/^\/apis\/admissionregistration\.k8s\.io\/v1\/[a-z]+\/[^/]+$/.test(path)) return this.#one(call, path);
    const [, listed] = /^(?:\/api\/v1|\/apis\/[^/]+\/[^/]+)\/([a-z]+)$/.exec(path) ?? [];
    return call.method === "GET" && listed !== undefined
      ? this.#list(call, (one) => kindOf(one) === listed)
      : undefined;
  }

  /** The names of the namespaces that clusters have. */
  names(): string[] {
    return [...this.objects.values()]
      .filter((one) => kindOf(one) === "namespaces")
      .map(({ metadata }) => metadata.name);
  }

  #deniedTo(token: string, path: string): Reply | undefined {
    const namespace = this.#tokens.get(token);
    const account = `/api/v1/namespaces/${namespace}/serviceaccounts/`;
    const isKnown = namespace !== undefined && [...this.objects.keys()].some((one) => one.startsWith(account));
    if (!isKnown) return failure(401, "Unauthorized");
    const isOwn = path.includes(`/namespaces/${namespace}/`);
    const isPublic = DISCOVERY[path] !== undefined || path === "/version" || path.startsWith("/openapi");
    return isOwn || isPublic ? undefined : failure(403, `forbidden: ${path}`);
  }

  #inNamespace(
    call: NamespacesCall,
    { namespace, name, part }: { namespace: string; name?: string | undefined; part?: string | undefined },
  ) {
    const { method, url, body } = call;
    if (!this.objects.has(`/api/v1/namespaces/${namespace}`))
      return failure(404, `namespaces "${namespace}" not found`);
    if (part === "token") return this.#issue(url.pathname.replace(/\/token$/, ""), namespace, body);
    if (name !== undefined) return this.#one(call, url.pathname);
    if (method === "GET") return this.#list(call, (_one, path) => path.startsWith(`${url.pathname}/`));
    if (method === "DELETE") {
      for (const path of this.objects.keys()) if (path.startsWith(`${url.pathname}/`)) this.objects.delete(path);
      return { status: 200, object: {} };
    }
    const path = `${url.pathname}/${body.metadata?.name}`;
    if (this.objects.has(path)) return failure(409, "already exists");
    return { status: 201, object: this.#put(path, { ...body, metadata: { ...body.metadata, namespace } }) };
  }

  #one({ method, body }: NamespacesCall, path: string): Reply {
    const found = this.objects.get(path);
    if (method === "PATCH") return { status: found ? 200 : 201, object: this.#put(path, body) };
    if (!found) return failure(404, "not found");
    const isNamespace = kindOf(found) === "namespaces";
    if (method === "DELETE") {
      if (!isNamespace) this.objects.delete(path);
      else found.metadata.deletionTimestamp ??= new Date().toISOString();
      return { status: 200, object: found };
    }
    // A namespace that is being deleted is seen once more.
    if (isNamespace && found.metadata.deletionTimestamp) this.#drop(path);
    return { status: 200, object: found };
  }

  #drop(namespace: string): void {
    const name = namespace.slice(namespace.lastIndexOf("/") + 1);
    for (const path of this.objects.keys())
      if (path === namespace || path.includes(`/namespaces/${name}/`)) this.objects.delete(path);
  }

  #put(path: string, body: NamespacesCall["body"]): NamespacedObject {
    const metadata = { uid: randomUUID(), ...body.metadata, resourceVersion: String(++this.#version) };
    const object = { ...body, metadata } as NamespacedObject;
    this.objects.set(path, object);
    return object;
  }

  #list({ url }: NamespacesCall, holds: (one: NamespacedObject, path: string) => boolean): Reply {
    const [key = "", value] = (url.searchParams.get("labelSelector") ?? "").split("=");
    const items = [...this.objects]
      .filter(([path, one]) => holds(one, path) && (key === "" || one.metadata.labels?.[key] === value))
      .map(([, one]) => one);
    const kind = `${items[0]?.kind ?? ""}List`;
    return {
      status: 200,
      object: { kind, apiVersion: "v1", metadata: { resourceVersion: String(this.#version) }, items },
    };
  }

  #issue(account: string, namespace: string, body: NamespacesCall["body"]): Reply {
    if (!this.objects.has(account)) return failure(404, "serviceaccounts not found");
    const token = randomBytes(24).toString("base64url");
    this.#tokens.set(token, namespace);
    const { expirationSeconds = 3600 } = (body.spec ?? {}) as { expirationSeconds?: number };
    const expirationTimestamp = new Date(Date.now() + expirationSeconds * 1000).toISOString();
    return { status: 201, object: { ...body, status: { token, expirationTimestamp } } };
  }
}

const kindOf = ({ kind = "" }: NamespacedObject): string => `${kind.toLowerCase()}s`.replace(/ys$/, "ies");

const failure = (code: number, message: string): Reply => ({
  status: code,
  object: { kind: "Status", apiVersion: "v1", status: "Failure", code, message, reason: REASONS[code] },
});

const REASONS: Readonly<Record<number, string>> = {
  401: "Unauthorized",
  403: "Forbidden",
  404: "NotFound",
  409: "AlreadyExists",
};
