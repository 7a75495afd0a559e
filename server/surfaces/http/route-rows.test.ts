import { expect, it } from "vitest";
import { MethodNotAllowed } from "./error-response";
import { createRouter } from "./route-rows";

const rows = [
  { method: "GET", path: "/v1/keys/{id}" },
  { method: "GET", path: "/v1/keys/mine" },
  { method: "DELETE", path: "/v1/keys/{key_id}" },
  { method: "POST", path: "/v1/keys/{id}/rotate" },
  { method: "POST", path: "/v1/keys" },
];
const find = createRouter({ rows });
const at = (method: string, path: string) => find({ method, url: `http://svc.example${path}` });

it.each([
  ["GET /v1/keys/key_1?limit=1", 0, { id: "key_1" }],
  ["HEAD /v1/keys/key_1", 0, { id: "key_1" }],
  ["GET /v1/keys/a%2Fb", 0, { id: "a/b" }],
  ["GET /v1/keys/mine", 1, {}],
  ["DELETE /v1/keys/key_1", 2, { key_id: "key_1" }],
  ["POST /v1/keys/key_1/rotate", 3, { id: "key_1" }],
  ["POST /v1/keys", 4, {}],
])("%s matches its row, with its own names of path parameters", (asked, row, params) => {
  const [method = "", path = ""] = asked.split(" ");
  expect(at(method, path)).toEqual({ row: rows[row], params });
});

it.each(["/v1/key", "/v1/keys/", "/v1/keys//rotate", "/v1/keys/a/b/c", "/v1/keys/a/revoke", "/", "/v1/KEYS"])(
  "%s is not found",
  (path) => {
    expect(at("GET", path)).toMatchObject({ refusal: { code: "not_found" } });
  },
);

it("another method is rejected with the allowed ones, whatever its rows name the path parameters", () => {
  const found = at("PUT", "/v1/keys/key_1");
  const refusal = "refusal" in found ? found.refusal : undefined;
  expect(refusal).toBeInstanceOf(MethodNotAllowed);
  expect(refusal).toMatchObject({ allowed: ["GET", "HEAD", "DELETE"] });
});

it("routes HEAD only to rows that accept it", () => {
  const strict = createRouter({ rows, takesHead: () => false });
  expect(strict({ method: "HEAD", url: "http://svc.example/v1/keys/mine" })).toMatchObject({
    refusal: { allowed: ["GET"] },
  });
});

it.each(["/v1/keys/caf%E9", "/v1/keys/%c3%28", "/v1/keys/a%ED%A0%80/rotate"])(
  "%s is refused: its bytes are not UTF-8",
  (path) => {
    expect(at(path.endsWith("rotate") ? "POST" : "GET", path)).toMatchObject({
      refusal: { code: "invalid_request", details: { reason: "not_utf8" } },
    });
  },
);
