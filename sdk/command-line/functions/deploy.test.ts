import { expect, it } from "vitest";
import { listening } from "../../../test/factories/listening";
import { openForFile } from "../../../test/factories/open-for-file";
import { typeLine } from "../../../test/factories/typed-line";

const KEY = `svc_test_${"a".repeat(48)}`;
const CODE = "export default () => 1;\n";
const got: { line: string; body: unknown }[] = [];
const { url } = await openForFile(
  listening(async (request, response) => {
    let text = "";
    for await (const chunk of request) text += chunk;
    got.push({ line: `${request.method} ${request.url}`, body: JSON.parse(text) });
    const isNew = request.url === "/v1/functions/new/versions";
    const error = { code: "not_found", message: "No function has the id or name.", request_id: "req_1" };
    response.setHeader("content-type", "application/json");
    response.statusCode = isNew ? 404 : 201;
    response.end(JSON.stringify(isNew ? { error } : { id: "fnc_1", name: "total", version: 2 }));
  }),
);

it("svc functions deploy sends the module as the next version, or creates a function of a new name", async () => {
  for (const name of ["total", "new"]) {
    const { done, said } = typeLine(["functions", "deploy", name, "--file", "-"], { key: KEY, svc: url, input: CODE });
    expect([await done, said]).toEqual([0, { out: "Deployed total (fnc_1), version 2.\n", err: "" }]);
  }
  expect(got).toMatchObject([
    { line: "POST /v1/functions/total/versions", body: { code: CODE } },
    { line: "POST /v1/functions/new/versions", body: { code: CODE } },
    { line: "POST /v1/functions", body: { name: "new", code: CODE } },
  ]);
});
