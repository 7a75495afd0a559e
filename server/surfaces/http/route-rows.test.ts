import { expect, it } from "vitest";
import { TooEarly } from "../../operation/speculation";
import { MethodNotAllowed } from "./error-response";
import { createRouter } from "./route-rows";

const rows = [
  { method: "GET", path: "/v1/keys/{id}", isSafe: true },
  { method: "GET", path: "/v1/keys/mine", isSafe: true },
  { method: "DELETE", path: "/v1/keys/{key_id}", isSafe: false },
  { method: "POST", path: "/v1/keys/{id}/rotate", isSafe: false },
  { method: "POST", path: "/v1/keys", isSafe: false },
  { method: "GET", path: "/v1/keys/{id}/value", isSafe: false },
];
const find = createRouter({ rows });
const at = (method: string, path: string, headers: Record<string, string> = {}) =>
  find({ method, url: `http://svc.example${path}`, headers: new Headers(headers) });

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
  expect(strict({ method: "HEAD", url: "http://svc.example/v1/keys/mine", headers: new Headers() })).toMatchObject({
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
it.each([
  { "sec-purpose": "prefetch" },
  { "sec-purpose": "prefetch;prerender" },
  { "sec-purpose": "prefetch;anonymous-client-ip" },
  { purpose: "prefetch" },
  { "x-moz": "prefetch" },
  { "x-purpose": "preview" },
])("refuses a GET with an effect that a browser sends in advance, and no other call: %o", (headers) => {
  expect(at("GET", "/v1/keys/key_1/value", headers)).toMatchObject({ refusal: expect.any(TooEarly) });
  expect(at("GET", "/v1/keys/key_1", headers)).toMatchObject({ row: rows[0] });
  expect(at("POST", "/v1/keys", headers)).toMatchObject({ row: rows[4] });
});

it("takes the other purposes of browsers for visits", () => {
  expect(at("GET", "/v1/keys/key_1/value", { "sec-purpose": "", purpose: "navigate" })).toMatchObject({ row: rows[5] });
});

it("a literal segment refuses other methods, and the parameter beside it does not take them", () => {
  const objects = [
    { method: "POST", path: "/v1/objects/delete", isSafe: false },
    { method: "GET", path: "/v1/objects/{key}", isSafe: true },
    { method: "DELETE", path: "/v1/objects/{key}", isSafe: false },
    { method: "POST", path: "/v1/pods/estimate", isSafe: false },
    { method: "GET", path: "/v1/pods/{id}", isSafe: true },
  ];
  const found = createRouter({ rows: objects });
  const asked = (method: string, path: string) =>
    found({ method, url: `http://svc.example${path}`, headers: new Headers() });
  expect(asked("DELETE", "/v1/objects/delete")).toMatchObject({ refusal: { allowed: ["POST"] } });
  expect(asked("GET", "/v1/pods/estimate")).toMatchObject({ refusal: { allowed: ["POST"] } });
  expect(asked("GET", "/v1/objects/delete")).toMatchObject({ row: objects[1], params: { key: "delete" } });
  expect(asked("DELETE", "/v1/objects/deleted")).toMatchObject({ row: objects[2] });
});
