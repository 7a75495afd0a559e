// The browser part of the API reference. Scalar's package for Fastify contains all of it and has 19 small dependencies;
// @scalar/api-reference itself has 272 (287 MB).
import { writeFile } from "node:fs/promises";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import register from "@scalar/fastify-api-reference";

/** Writes the script, gzipped: uncompressed it has 4.4 MB. */
export async function buildReference({ outFile }) {
  const routes = [];
  const options = { routePrefix: "/", configuration: { url: "/openapi.json" } };
  register({ route: (route) => routes.push(route), initialConfig: {} }, options, () => {});
  const script = routes.find(({ url }) => url.endsWith("/scalar.js"));
  let text;
  script?.handler(undefined, { header: () => ({ send: (sent) => (text = sent) }) });
  if (!text?.includes("createApiReference"))
    throw new Error("@scalar/fastify-api-reference no longer contains the script.");
  await writeFile(outFile, await promisify(gzip)(text.replace(/\n\/\/# sourceMappingURL=.*$/, "\n"), { level: 9 }));
}
