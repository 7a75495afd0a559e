import { z } from "zod";
import { RuntimeError } from "../runtime";
import { DIGEST } from "./image-reference";

/** A reference to content by digest, from the OCI image specification. */
const Descriptor = z.object({
  mediaType: z.string().max(255),
  digest: z.string().regex(DIGEST, "only sha256 digests are supported"),
  size: z.number().int().nonnegative(),
});
export type Descriptor = z.infer<typeof Descriptor> & {
  /** Of a layer: the digest of its archive without compression, as the configuration of its image says. */
  diffId?: string | undefined;
};

const Platform = z.object({ os: z.string(), architecture: z.string(), variant: z.string().optional() });
const LAYERS_MAX = 127;
const Index = z.object({ manifests: z.array(Descriptor.extend({ platform: Platform.optional() })).max(1000) });
const Manifest = z.object({ config: Descriptor, layers: z.array(Descriptor).min(1).max(LAYERS_MAX) });
export type Manifest = z.infer<typeof Manifest>;

const Words = z.array(z.string()).nullish();
const Config = z.object({
  os: z.string(),
  architecture: z.string(),
  rootfs: z.object({ diff_ids: z.array(z.string().regex(DIGEST)).optional() }).nullish(),
  config: z
    .object({
      User: z.string().nullish(),
      Env: Words,
      Entrypoint: Words,
      Cmd: Words,
      WorkingDir: z.string().nullish(),
      StopSignal: z.string().nullish(),
    })
    .nullish(),
});

/** What an image says about how to run it. */
export interface ImageConfig {
  entrypoint: readonly string[];
  cmd: readonly string[];
  /** `NAME=value`. */
  env: readonly string[];
  /** Empty: the root user of the namespace. */
  user: string;
  workingDir: string;
  stopSignal: string;
  /** The digests of the archives of its layers, without compression; absent: it does not say them. */
  diffIds?: readonly string[] | undefined;
}

export const MANIFEST_TYPES = [
  "application/vnd.oci.image.index.v1+json",
  "application/vnd.oci.image.manifest.v1+json",
  "application/vnd.docker.distribution.manifest.list.v2+json",
  "application/vnd.docker.distribution.manifest.v2+json",
] as const;
const INDEX_TYPES: readonly string[] = [MANIFEST_TYPES[0], MANIFEST_TYPES[2]];
const ARCHITECTURES: Readonly<Record<string, string>> = { x64: "amd64", arm64: "arm64" };

export const isIndex = (mediaType: string): boolean => INDEX_TYPES.includes(mediaType);

/** Node's name of a processor, such as `x64`, in the words of OCI. */
export const ociArchitecture = (nodeArch: string): string => ARCHITECTURES[nodeArch] ?? nodeArch;

/** The manifest of an index for Linux and an architecture. Throws `image_unsupported` if there is none. */
export function chooseManifest(text: string, { architecture, image }: { architecture: string; image: string }): string {
  const { manifests } = parseDocument(Index, { text, image });
  const linux = manifests.filter(({ platform }) => platform?.os === "linux");
  const fitting = linux.find(({ platform }) => platform?.architecture === architecture);
  if (fitting) return fitting.digest;
  // Its configuration, or the index that it is, says what it is for.
  const [unsaid, ...more] = manifests.filter(({ platform }) => platform === undefined);
  if (unsaid && more.length === 0) return unsaid.digest;
  const offered = [...new Set(linux.map(({ platform }) => platform?.architecture))].slice(0, 20).join(", ");
  throw new RuntimeError(
    "image_unsupported",
    `${image} is not available for linux/${architecture}, but for: ${offered || "no other architecture"}.`,
  );
}

export const parseManifest = (text: string, image: string): Manifest => parseDocument(Manifest, { text, image });

export function parseConfig(text: string, image: string): ImageConfig & { architecture: string } {
  const { os, architecture, config, rootfs } = parseDocument(Config, { text, image });
  if (os !== "linux") throw new RuntimeError("image_unsupported", `${image} is an image for ${os}, not for linux.`);
  return {
    architecture,
    entrypoint: config?.Entrypoint ?? [],
    cmd: config?.Cmd ?? [],
    env: config?.Env ?? [],
    user: config?.User ?? "",
    workingDir: config?.WorkingDir || "/",
    stopSignal: config?.StopSignal || "SIGTERM",
    diffIds: rootfs?.diff_ids,
  };
}

function parseDocument<T>(schema: z.ZodType<T>, { text, image }: { text: string; image: string }): T {
  try {
    return schema.parse(JSON.parse(text));
  } catch (cause) {
    const issue = cause instanceof z.ZodError ? cause.issues[0] : undefined;
    const where = issue ? `${issue.path.join(".")}: ${issue.message}` : "it is not JSON";
    throw new RuntimeError("image_invalid", `A document of ${image} is invalid: ${where}.`, { cause });
  }
}
