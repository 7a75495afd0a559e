// Generates the database client without the package `prisma`, which brings a studio and a second database engine. It
// runs in a process of its own, so that the server that starts after the build does not keep the generator in memory.
import { createRequire } from "node:module";
import path from "node:path";

const [schema = ""] = process.argv.slice(2);
// Loaded as CommonJS: their ES modules do not load in Node.js.
const require = createRequire(import.meta.url);
const { getGenerators, loadSchemaContext } = require("@prisma/internals");
const { PrismaClientTsGenerator } = require("@prisma/client-generator-ts");

const generators = await getGenerators({
  schemaContext: await loadSchemaContext({
    schemaPath: { cliProvidedPath: path.resolve(schema) },
    printLoadMessage: false,
  }),
  registry: { "prisma-client": { type: "in-process", generator: new PrismaClientTsGenerator() } },
  skipDownload: true,
  cliCommand: "generate",
});
for (const generator of generators) {
  await generator.generate();
  generator.stop();
}
