import { expect, it } from "vitest";
import { publicUrlFor } from "./public-origin";

const LOCAL = "http://localhost:3000";

it.each([
  { host: "127.0.0.1:3000", path: "/demo?q=tent", publicUrl: LOCAL, to: "http://localhost:3000/demo?q=tent" },
  { host: "[::1]:3000", path: "/reports", publicUrl: LOCAL, to: "http://localhost:3000/reports" },
  { host: "LOCALHOST:80", path: "/log-in", publicUrl: "http://127.0.0.1", to: "http://127.0.0.1/log-in" },
  { host: "127.0.0.1", path: "/demo", publicUrl: "https://localhost/base", to: "https://localhost/demo" },
  { host: "127.0.0.1:3000", path: "//other.example", publicUrl: LOCAL, to: "http://localhost:3000//other.example" },
  { host: "127.0.0.1:3000", path: "@other.example/", publicUrl: LOCAL, to: "http://localhost:3000/" },
  { host: "127.0.0.1:3000", path: ".other.example/", publicUrl: LOCAL, to: "http://localhost:3000/" },
])("sends a visitor of $host$path to $to", ({ to, ...visit }) => {
  expect(publicUrlFor(visit)).toBe(to);
});

it.each([
  ["the public name itself", "localhost:3000", LOCAL],
  ["the public name in other letters", "LocalHost:3000", LOCAL],
  ["another port, as a tunnel has", "127.0.0.1:8080", LOCAL],
  ["another machine's name", "svc.example:3000", LOCAL],
  ["a loopback name behind a public one", "127.0.0.1:443", "https://svc.example"],
  ["a host that is none", "a b", LOCAL],
  ["no host", null, LOCAL],
])("leaves alone %s", (_, host, publicUrl) => {
  expect(publicUrlFor({ host, path: "/demo", publicUrl })).toBeUndefined();
});
