import { KEY_VARIABLES, type SnippetRequest } from "./snippet-request";

export type Language = "curl" | "python" | "node";
type WriteCode = (request: SnippetRequest, publicUrl: string) => string;

/** A call as code in each language; keys are read from environment variables and never part of it. */
export const LANGUAGES: Readonly<Record<Language, { label: string; write: WriteCode }>> = {
  curl: { label: "curl", write: toCurl },
  python: { label: "Python", write: toPython },
  node: { label: "Node.js", write: toNode },
};

export const DEFAULT_LANGUAGE: Language = "curl";

export const isLanguage = (value: unknown): value is Language =>
  typeof value === "string" && Object.hasOwn(LANGUAGES, value);

function toCurl({ method, path, key, body, idempotencyKey }: SnippetRequest, publicUrl: string): string {
  const lines = [
    `curl -s "${publicUrl}${path}"`,
    ...(key === "platform" ? [`-H "Authorization: Bearer $${KEY_VARIABLES.platform}"`] : []),
    ...(key === "channel" ? [`-H "X-SVC-API-Key: $${KEY_VARIABLES.channel}"`] : []),
    ...(idempotencyKey ? [`-H "Idempotency-Key: ${idempotencyKey}"`] : []),
    ...(body ? ['-H "Content-Type: application/json"', `-d '${JSON.stringify(body)}'`] : []),
  ];
  if (method !== (body ? "POST" : "GET")) lines.push(`-X ${method}`);
  return lines.join(" \\\n  ");
}

/** With the package `requests`. */
function toPython({ method, path, key, body, idempotencyKey }: SnippetRequest, publicUrl: string): string {
  const headers = [
    ...(key === "platform" ? [`"Authorization": f"Bearer {os.environ['${KEY_VARIABLES.platform}']}"`] : []),
    ...(key === "channel" ? [`"X-SVC-API-Key": os.environ["${KEY_VARIABLES.channel}"]`] : []),
    ...(idempotencyKey ? [`"Idempotency-Key": "${idempotencyKey}"`] : []),
  ];
  const parts = [
    `"${publicUrl}${path}"`,
    ...(headers.length > 0 ? [`headers={\n${headers.map((line) => `        ${line},\n`).join("")}    }`] : []),
    ...(body ? [`json=${pythonLiteral(body)}`] : []),
  ];
  const imports = key === "none" ? "import requests" : "import os\nimport requests";
  const call = `requests.${method.toLowerCase()}(\n${parts.map((part) => `    ${part},\n`).join("")})`;
  return `${imports}\n\nresponse = ${call}\nprint(response.status_code, response.text)`;
}

function pythonLiteral(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(pythonLiteral).join(", ")}]`;
  if (typeof value === "object" && value !== null) {
    const entries = Object.entries(value).map(([name, item]) => `${JSON.stringify(name)}: ${pythonLiteral(item)}`);
    return `{${entries.join(", ")}}`;
  }
  if (value === null) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  return JSON.stringify(value);
}

/** An ES module. */
function toNode({ method, path, key, body, idempotencyKey }: SnippetRequest, publicUrl: string): string {
  const headers = [
    ...(key === "platform" ? [`Authorization: \`Bearer \${process.env.${KEY_VARIABLES.platform}}\``] : []),
    ...(key === "channel" ? [`"X-SVC-API-Key": process.env.${KEY_VARIABLES.channel}`] : []),
    ...(idempotencyKey ? [`"Idempotency-Key": "${idempotencyKey}"`] : []),
    ...(body ? ['"Content-Type": "application/json"'] : []),
  ];
  const options = [
    ...(method === "GET" ? [] : [`method: "${method}"`]),
    ...(headers.length > 0 ? [`headers: {\n${headers.map((line) => `    ${line},\n`).join("")}  }`] : []),
    ...(body ? [`body: JSON.stringify(${JSON.stringify(body)})`] : []),
  ];
  const init = options.length > 0 ? `, {\n${options.map((option) => `  ${option},\n`).join("")}}` : "";
  return `const response = await fetch("${publicUrl}${path}"${init});\nconsole.log(response.status, await response.text());`;
}
