import { RuntimeError } from "../runtime";

/** A parsed image name. */
export interface ImageReference {
  /** As written by the user, for messages. */
  text: string;
  /** `host` or `host:port` of the registry's API. */
  registry: string;
  repository: string;
  /** A tag, or a digest as `sha256:<64 hex>`. */
  version: string;
}

/** Docker Hub's names are served from another host than the one in its names. */
const DOCKER_HUB = "registry-1.docker.io";
const DOCKER_HUB_NAMES = new Set(["docker.io", "index.docker.io", DOCKER_HUB]);
const TEXT_LENGTH_MAX = 512;
/** The grammars of the OCI distribution specification. */
const HOST = /^(?:[a-zA-Z0-9](?:[a-zA-Z0-9.-]{0,252})|\[[0-9a-fA-F:.]{2,45}\])(?::\d{1,5})?$/;
const PATH_COMPONENT = /^[a-z0-9]+(?:[._-]+[a-z0-9]+)*$/;
const TAG = /^\w[\w.-]{0,127}$/;
export const DIGEST = /^sha256:[0-9a-f]{64}$/;

/**
 * Parses an image name with the defaults of Docker: registry Docker Hub, namespace `library`, tag `latest`. A digest
 * wins over a tag. Throws `image_invalid`.
 */
export function parseImageReference(text: string): ImageReference {
  const invalid = (why: string) =>
    new RuntimeError("image_invalid", `"${text.slice(0, TEXT_LENGTH_MAX)}" is not an image name: ${why}.`);
  if (text.length === 0 || text.length > TEXT_LENGTH_MAX) throw invalid(`1 to ${TEXT_LENGTH_MAX} characters`);
  const [named = "", digest, ...rest] = text.split("@");
  if (rest.length > 0 || (digest !== undefined && !DIGEST.test(digest))) throw invalid("the digest is not sha256");
  const { name, tag } = splitTag(named);
  if (tag !== undefined && !TAG.test(tag)) throw invalid("the tag has characters other than letters, digits, _ . -");
  const { registry, path } = splitRegistry(name);
  if (!HOST.test(registry)) throw invalid("the registry is not a host name");
  if (!path.split("/").every((component) => PATH_COMPONENT.test(component))) {
    throw invalid("the name has characters other than lower-case letters, digits, . _ - /");
  }
  return { text, version: digest ?? tag ?? "latest", ...withHubDefaults(registry, path) };
}

/** A colon after the last slash begins a tag; one before it begins a port. */
function splitTag(named: string): { name: string; tag: string | undefined } {
  const colon = named.indexOf(":", named.lastIndexOf("/") + 1);
  return colon < 0 ? { name: named, tag: undefined } : { name: named.slice(0, colon), tag: named.slice(colon + 1) };
}

/** The first component is a registry if no namespace could have such a name. */
function splitRegistry(name: string): { registry: string; path: string } {
  const slash = name.indexOf("/");
  const first = name.slice(0, Math.max(0, slash));
  const isRegistry = first.includes(".") || first.includes(":") || first === "localhost";
  return isRegistry ? { registry: first, path: name.slice(slash + 1) } : { registry: "docker.io", path: name };
}

function withHubDefaults(registry: string, path: string): { registry: string; repository: string } {
  if (!DOCKER_HUB_NAMES.has(registry)) return { registry, repository: path };
  return { registry: DOCKER_HUB, repository: path.includes("/") ? path : `library/${path}` };
}
