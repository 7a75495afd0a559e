import { linesIn, rawTextIn, textIn } from "../../../components/form/read-fields";
import { FieldError } from "../../../trpc/failure";

type EnvValue = string | { secret: string };

/** What the form sends beside the shape, the mode and the project. What is absent has a default of the API. */
export function podIn(fields: FormData) {
  const [name, command] = [textIn(fields, "name"), commandIn(fields)];
  return {
    image: textIn(fields, "image"),
    ...(name && { name }),
    ...registryIn(fields),
    ...portsIn(fields),
    ...(command.length > 0 && { command }),
    env: envIn(fields),
    labels: labelsIn(fields),
  };
}

/** The form's field of a parameter of the API. */
export function podFieldOf(param: string): string {
  if (param.startsWith("ports")) return "ports";
  if (param === "volume.mount_path") return "volume_path";
  if (param.startsWith("volume")) return "volume_gb";
  if (param.startsWith("registry_credentials")) {
    return param.endsWith("username") ? "registry_username" : "registry_password";
  }
  if (param === "gang" || param.startsWith("gang.")) return param === "gang.size" ? "gang_size" : "gang_name";
  return param;
}

/** The login of a registry, or nothing. Throws a FieldError for half of one. */
function registryIn(fields: FormData): { registry_credentials?: { username: string; password: { secret: string } } } {
  const [username, secret] = [textIn(fields, "registry_username"), textIn(fields, "registry_password")];
  if (username === "" && secret === "") return {};
  if (username === "") throw new FieldError("registry_username", "Enter the username of the registry.");
  if (secret === "") throw new FieldError("registry_password", "Choose the secret with its password or token.");
  return { registry_credentials: { username, password: { secret } } };
}

/** Ports between commas or spaces, or nothing. Throws a FieldError for what is no number. */
function portsIn(fields: FormData): { ports?: number[] } {
  const words = textIn(fields, "ports")
    .split(/[\s,]+/)
    .filter(Boolean);
  const wrong = words.find((word) => !/^\d+$/.test(word));
  if (wrong !== undefined) throw new FieldError("ports", `Enter numbers such as 8080, not “${wrong}”.`);
  return words.length === 0 ? {} : { ports: words.map(Number) };
}

/** One argument per line, with the spaces in it; empty lines are left out. */
export const commandIn = (fields: FormData): string[] => rawTextIn(fields, "command").split(/\r?\n/).filter(Boolean);

/** Each variable has one field `env_name`, one `env_kind` and one `env_value`. Throws a FieldError for `env`. */
export function envIn(fields: FormData): Record<string, EnvValue> {
  const [names, kinds, values] = ["env_name", "env_kind", "env_value"].map((name) => fields.getAll(name).map(String));
  const entries = (names ?? []).flatMap((text, at): [string, EnvValue][] => {
    const [name, value = ""] = [text.trim(), values?.[at]];
    if (name === "" && value === "") return [];
    if (name === "") throw new FieldError("env", `Variable ${at + 1} has no name.`);
    if (kinds?.[at] !== "secret") return [[name, value]];
    if (value === "") throw new FieldError("env", `Choose a secret for ${name}.`);
    return [[name, { secret: value }]];
  });
  const twice = entries.find(([name], at) => entries.findIndex(([other]) => other === name) < at);
  if (twice) throw new FieldError("env", `There are two variables with the name ${twice[0]}.`);
  return Object.fromEntries(entries);
}

/** `name=value`, one per line. Throws a FieldError for a line without "=". */
export function labelsIn(fields: FormData): Record<string, string> {
  const entries = linesIn(fields, "labels").map((line) => {
    const at = line.indexOf("=");
    if (at < 1) throw new FieldError("labels", `Enter “${line}” as name=value.`);
    return [line.slice(0, at).trim(), line.slice(at + 1).trim()];
  });
  return Object.fromEntries(entries);
}
