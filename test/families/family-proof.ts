import type { Plane } from "../../server/operation/actor";

/** What the proofs of families have: svc over HTTP as one tenant sees it, images, and a bucket with a model. */
export interface World {
  call<T = Record<string, unknown>>(
    path: string,
    sent?: { body?: object | undefined; method?: string | undefined },
  ): Promise<{ status: number; body: T }>;
  /** Requests the URL of a host without a key; redirects are not followed. */
  visit(url: string): Promise<{ status: number | undefined; location?: string | undefined; body: string }>;
  /** The text of an object; undefined: there is none. */
  read(bucket: string, key: string): Promise<string | undefined>;
  /** An image with a shell and programs such as `cat`. */
  shell: string;
  /** An image with a shell and Python. */
  python: string;
  /** Has `model.safetensors`. */
  bucket: string;
  /** A text that only effects may see, for fields that may hold a secret. */
  secret: string;
}

/** A resource as the API shows it, as far as proofs need it. */
export interface Provisioned {
  rid: string;
  name: string;
  spec: Record<string, unknown>;
  observed: Record<string, unknown> | null;
}

/** How the effects of one kind are made, changed and seen. */
export interface FamilyProof {
  /** Default: gpuc. */
  plane?: Plane;
  service: string;
  kind: string;
  /** Other services of gpuc whose resources the spec names. */
  needs?: readonly string[];
  /** The code of the reason why this node has only placeholders of it, if it has. */
  missing?: string | undefined;
  spec(world: World): object | Promise<object>;
  /** Another spec, which the effect follows; absent: it can follow none. */
  changed?(world: World): object | Promise<object>;
  /** How many effects a changed resource has; default 1. */
  changedEffects?: number;
  /** A spec with an error, and the field that the error names. */
  wrong: { spec: object; param: string };
  /** How many effects with this name exist that do what they should, asked through another channel than the resource. */
  effects(world: World, resource: Provisioned): Promise<number>;
  /** Deletes what `spec` made for it. */
  tidy?(world: World): Promise<void>;
  /** Its use has a price. */
  isMetered?: true;
  /** A service with one cannot be deactivated. */
  cannotSuspend?: true;
  /** Its effect is a result, which stays when the resource is suspended or deleted. */
  isResult?: true;
}

/** The service that a proof is of. */
export const idOf = ({ plane = "gpuc", service }: Pick<FamilyProof, "plane" | "service">) => ({ plane, service });

export interface Listed<T> {
  data: T[];
}
