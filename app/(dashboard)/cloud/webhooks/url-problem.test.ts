import { expect, it } from "vitest";
import { urlProblem } from "./url-problem";

it.each([
  ["", /Enter the URL/],
  ["example.com/hook", /full URL/],
  ["https://", /full URL/],
  ["https://exa mple.com", /full URL/],
  ["http://example.com", /Use https/],
  ["ftp://example.com", /Use https/],
  ["https://ada:secret@example.com", /user name and password/],
  ["https://localhost/x", /public addresses/],
  ["https://10.0.0.1", /public addresses/],
  ["https://0x7f.1/", /public addresses/],
  ["https://169.254.169.254/latest", /public addresses/],
  ["https://100.64.0.1", /public addresses/],
  ["https://[::1]/", /public addresses/],
  ["https://[::ffff:10.0.0.1]/", /public addresses/],
  ["https://[fd00::1]/", /public addresses/],
])("says what is wrong with %s", (url, problem) => expect(urlProblem(url, false)).toMatch(problem));

it.each(["https://example.com", " https://example.com:8443/hook?a=b ", "https://172.32.0.1", "https://100.128.0.1"])(
  "has nothing against %s",
  (url) => expect(urlProblem(url, false)).toBeUndefined(),
);

it("allows http on loopback addresses only where svc runs on one", () => {
  expect(urlProblem("http://localhost:4000", true)).toBeUndefined();
  expect(urlProblem("http://127.0.0.1:4000/hook", true)).toBeUndefined();
  expect(urlProblem("http://localhost:4000", false)).toMatch(/Use https/);
  expect(urlProblem("http://example.com", true)).toMatch(/Use https/);
  expect(urlProblem("https://192.168.0.1", true)).toMatch(/public addresses/);
});
