// The browser's part of the API reference. Scalar's package for Fastify carries it whole and brings 19 small packages;
// @scalar/api-reference itself brings 272 (287 MB).
import { writeFile } from "node:fs/promises";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import register from "@scalar/fastify-api-reference";

/** Writes the script, gzipped: it is 4.4 MB long otherwise. */
export async function buildReference({ outFile }) {
  const routes = [];
  const options = { routePrefix: "/", configuration: { url: "/openapi.json" } };
  register({ route: (route) => routes.push(route), initialConfig: {} }, options, () => {});
  const script = routes.find(({ url }) => url.endsWith("/scalar.js"));
  let text;
  script?.handler(undefined, { header: () => ({ send: (sent) => (text = sent) }) });
  if (!text?.includes("createApiReference")) throw new Error("@scalar/fastify-api-reference has no script any more.");
  await writeFile(outFile, await promisify(gzip)(text.replace(/\n\/\/# sourceMappingURL=.*$/, "\n"), { level: 9 }));
}
