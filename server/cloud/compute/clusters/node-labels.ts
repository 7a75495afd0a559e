import { z } from "zod";

const LABELS_MAX = 50;
const TAINTS_MAX = 20;
const PREFIX_LENGTH_MAX = 253;
const NAME = /^[A-Za-z0-9]([A-Za-z0-9_.-]{0,61}[A-Za-z0-9])?$/;
const PREFIX = /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/;
const VALUE = /^([A-Za-z0-9]([A-Za-z0-9_.-]{0,61}[A-Za-z0-9])?)?$/;
/** Kubernetes and svc give these their meaning. */
const RESERVED = /(^|\.)(kubernetes\.io|k8s\.io)$|^svc$/;

/** Why a text is no key of a label of your own; undefined: it is one. */
export function labelKeyProblem(key: string): string | undefined {
  const slash = key.indexOf("/");
  const [prefix, name] = slash < 0 ? [undefined, key] : [key.slice(0, slash), key.slice(slash + 1)];
  if (!NAME.test(name))
    return "expected 1 to 63 characters of A-Z a-z 0-9 _ . - that begin and end with a letter or digit";
  if (prefix === undefined) return undefined;
  if (prefix.length > PREFIX_LENGTH_MAX || !PREFIX.test(prefix)) return "expected a domain name before the slash";
  return RESERVED.test(prefix) ? `the prefix ${prefix} is reserved; choose another one` : undefined;
}

const Value = z
  .string()
  .regex(VALUE, "expected up to 63 characters of A-Z a-z 0-9 _ . - that begin and end with a letter or digit");

/** Labels, with the syntax of Kubernetes. */
export const LabelMap = z.record(z.string(), Value).superRefine((labels, issue) => {
  const keys = Object.keys(labels);
  if (keys.length > LABELS_MAX) issue.addIssue({ code: "custom", message: `expected at most ${LABELS_MAX}` });
  for (const key of keys) {
    const problem = labelKeyProblem(key);
    if (problem !== undefined) issue.addIssue({ code: "custom", path: [key], message: problem });
  }
});

const Taint = z.strictObject({
  key: z.string().superRefine((key, issue) => {
    const problem = labelKeyProblem(key);
    if (problem !== undefined) issue.addIssue({ code: "custom", message: problem });
  }),
  value: Value.default(""),
  effect: z.enum(["NoSchedule", "PreferNoSchedule", "NoExecute"]),
});
export type Taint = z.output<typeof Taint>;

/** Taints, with the syntax of Kubernetes; a key has each effect once. */
export const Taints = z
  .array(Taint)
  .max(TAINTS_MAX)
  .superRefine((taints, issue) => {
    const seen = new Set<string>();
    for (const [at, { key, effect }] of taints.entries()) {
      const one = `${key}:${effect}`;
      if (seen.has(one)) issue.addIssue({ code: "custom", path: [at], message: `expected ${one} once` });
      seen.add(one);
    }
  });
