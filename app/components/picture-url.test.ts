import { expect, it } from "vitest";
import { pictureUrl } from "./picture-url";

const OWN = "http://localhost:3000";

it.each([
  ["https://cdn.example/1.jpg", "https://cdn.example/1.jpg"],
  ["HTTPS://CDN.example/1.jpg", "https://cdn.example/1.jpg"],
  ["http://localhost:3000/demo/pictures/tent.svg", "http://localhost:3000/demo/pictures/tent.svg"],
])("shows %s", (link, url) => expect(pictureUrl(link, OWN)).toBe(url));

it.each([
  null,
  undefined,
  "",
  "/1.jpg",
  "//cdn.example/1.jpg",
  "http://cdn.example/1.jpg",
  "http://localhost:3001/1.jpg",
  "http://localhost:3000.evil.example/1.jpg",
  "http://localhost:3000@evil.example/1.jpg",
  "javascript:alert(1)",
  " javascript:alert(1)",
  "data:image/svg+xml,<svg/>",
  "blob:http://localhost:3000/1",
  "ftp://cdn.example/1.jpg",
  "https://",
])("does not show %j", (link) => expect(pictureUrl(link, OWN)).toBeUndefined());

it("shows only https while the own origin is not known", () => {
  expect(pictureUrl("http://localhost:3000/1.jpg", "")).toBeUndefined();
  expect(pictureUrl("https://cdn.example/1.jpg", "")).toBe("https://cdn.example/1.jpg");
});
