import http from "node:http";
import net, { type AddressInfo } from "node:net";
import os from "node:os";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isPublicAddress } from "./address-policy";
import { guardedFetch } from "./guarded-fetch";
import { OwnAddresses } from "./own-addresses";

describe("isPublicAddress", () => {
  it.each([
    "10.0.0.1",
    "172.16.0.1",
    "192.168.1.1",
    "127.0.0.1",
    "169.254.169.254",
    "100.64.0.1",
    "0.0.0.0",
    "192.0.2.1",
    "198.18.0.1",
    "224.0.0.1",
    "240.0.0.1",
    "255.255.255.255",
    "::",
    "::1",
    "fe80::1",
    "fc00::1",
    "fec0::1",
    "ff02::1",
    "2001:db8::1",
    "::ffff:10.0.0.1",
    "::ffff:8.8.8.8",
    "::127.0.0.1",
    "64:ff9b::7f00:1",
    "64:ff9b:1::7f00:1",
    "2002:7f00:1::",
    "168.63.129.16",
    "100.100.100.200",
    "192.0.0.192",
    "fd00:ec2::254",
    "fd20:ce::254",
    "",
    "localhost",
    "8.8.8.8.example",
  ])("rejects %s", (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });

  it.each(["8.8.8.8", "1.1.1.1", "2606:4700::1111"])("accepts %s", (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });

  it("rejects the addresses that this machine has at the time, in every form", () => {
    let [now, addresses] = [0, ["203.1.113.7", "2a01:4f8:0:1::7"]];
    const read = () => ({ eth0: addresses.map((address) => ({ address }) as os.NetworkInterfaceInfo) });
    const own = new OwnAddresses({ read, now: () => now });
    for (const address of ["203.1.113.7", "2a01:4f8:0:1::7", "2A01:04F8:0:1:0:0:0:7"]) {
      expect([address, isPublicAddress(address, own)]).toEqual([address, false]);
      expect(isPublicAddress(address)).toBe(true);
    }
    now += 1000;
    addresses = ["203.1.113.8"];
    expect(["203.1.113.7", "203.1.113.8"].map((address) => isPublicAddress(address, own))).toEqual([true, false]);
  });

  it("rejects every address of this machine", () => {
    const own = Object.values(os.networkInterfaces()).flatMap((addresses = []) => addresses);
    expect(own.length).toBeGreaterThan(0);
    for (const { address } of own) expect([address, isPublicAddress(address)]).toEqual([address, false]);
  });
});

describe("guardedFetch", () => {
  const asked: { host: string | undefined; url: string | undefined }[] = [];
  const server = http.createServer(({ headers, url }, response) => {
    asked.push({ host: headers.host, url });
    if (url === "/redirect") response.writeHead(302, { location: "http://127.0.0.1/secret" }).end();
    else if (url === "/endless") response.write("x".repeat(100_000));
    else if (url !== "/silent") response.end("token");
  });
  let connected: string[] = [];
  const networkOf = (...addresses: string[]) => ({
    resolve: async () => addresses,
    connect: ({ address }: { address: string }) => {
      connected.push(address);
      return net.connect((server.address() as AddressInfo).port, "127.0.0.1");
    },
  });
  const fetchText = (url: string, addresses = ["8.8.8.8"], timeoutMs = 5000) =>
    guardedFetch(url, { timeoutMs, bodyBytesMax: 4096, network: networkOf(...addresses) });
  beforeAll(() => new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve)));
  afterAll(() => server.closeAllConnections());

  it("connects to the address that was checked and names the host", async () => {
    connected = [];
    expect(await fetchText("https://shop.example/file?x=1")).toEqual({ status: 200, body: "token" });
    expect(connected).toEqual(["8.8.8.8"]);
    expect(asked.at(-1)).toEqual({ host: "shop.example", url: "/file?x=1" });
  });

  it("connects to nothing when one address of several is not public", async () => {
    connected = [];
    await expect(fetchText("https://shop.example/", ["8.8.8.8", "127.0.0.1"])).rejects.toThrow("public addresses");
    await expect(fetchText("https://shop.example/", [])).rejects.toThrow("no address");
    await expect(fetchText("http://shop.example/")).rejects.toThrow("https");
    expect(connected).toEqual([]);
  });

  it("follows no redirect", async () => {
    expect((await fetchText("https://shop.example/redirect")).status).toBe(302);
    expect(asked.at(-1)?.url).toBe("/redirect");
  });

  it("rejects a body that is too long and a server that does not respond", async () => {
    await expect(fetchText("https://shop.example/endless")).rejects.toThrow("longer than 4096 bytes");
    await expect(fetchText("https://shop.example/silent", ["8.8.8.8"], 200)).rejects.toThrow("in time");
  });
});
