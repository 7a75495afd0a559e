import { randomBytes } from "node:crypto";
import http from "node:http";
import type { AddressInfo } from "node:net";
import type { OffersStub } from "../e2e/offers-stub";

const PICTURE = { width: 600, height: 300 };
const KEY = `svc_pub_${"a".repeat(48)}`;

/** The same page without the widget, with it, and with nothing but the first number that the browser has to format. */
export type Variant = "without" | "with" | "number";

interface Site {
  address(variant: Variant): string;
  /** Gives the slot a height of its own, as a page does that does not want to move. */
  reserve(heightPx: number): void;
  close(): Promise<void>;
}

/** A publisher's article with a picture, and a slot for three offers between its paragraphs. */
export async function startSite(svc: string): Promise<Site> {
  const pages: Record<string, [type: string, body: string | Buffer]> = {
    "/picture.bmp": ["image/bmp", noisePicture()],
  };
  const reserve = (heightPx: number): void => {
    const tag = `<script async src="${svc}/widget.js" data-key="${KEY}"></script>`;
    pages["/with"] = ["text/html; charset=utf-8", article(tag, heightPx)];
    pages["/without"] = ["text/html; charset=utf-8", article("", heightPx)];
    pages["/number"] = ["text/html; charset=utf-8", article(NUMBER, heightPx)];
  };
  reserve(0);
  const server = http.createServer((request, response) => {
    const [type, body] = pages[request.url ?? ""] ?? ["text/plain", ""];
    response.writeHead(200, { "Content-Type": type }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    reserve,
    address: (variant) => `http://127.0.0.1:${port}/${variant}`,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const NUMBER = '<script>setTimeout(() => new Intl.NumberFormat("en").format(1), 500)</script>';
const PARAGRAPH = `<p>${"The first battery gave up after two years, and the pads went the same way everywhere. ".repeat(4)}</p>`;
const OBSERVERS = `<script>
  window.seen = { lcpMs: 0, shift: 0, longTasksMs: [], offersMs: 0 };
  const watch = (type, hear) =>
    new PerformanceObserver((list) => list.getEntries().forEach(hear)).observe({ type, buffered: true });
  watch("largest-contentful-paint", (entry) => { seen.lcpMs = entry.startTime; });
  watch("layout-shift", (entry) => { seen.shift += entry.value; });
  watch("longtask", (entry) => { seen.longTasksMs.push(entry.duration); });
  addEventListener("svc:rendered", () => { seen.offersMs = performance.now(); });
</script>`;

const article = (
  tag: string,
  heightPx: number,
): string => `<!doctype html><html lang="en"><head><title>Nine headphones</title>${OBSERVERS}
<style>[data-svc-offers] { min-height: ${heightPx}px }</style>${tag}</head><body><h1>Nine headphones</h1>
<img src="/picture.bmp" width="${PICTURE.width}" height="${PICTURE.height}" alt="">${PARAGRAPH}
<div data-svc-offers data-query="headphones" data-limit="3"></div>
${PARAGRAPH.repeat(12)}</body></html>`;

/** A picture of noise: browsers leave pictures with little in them out of the largest contentful paint. */
function noisePicture(): Buffer {
  const header = Buffer.alloc(54);
  const { width, height } = PICTURE;
  header.write("BM");
  header.writeUInt32LE(54 + width * height * 3, 2);
  header.writeUInt32LE(54, 10);
  header.writeUInt32LE(40, 14);
  header.writeInt32LE(width, 18);
  header.writeInt32LE(height, 22);
  header.writeUInt16LE(1, 26);
  header.writeUInt16LE(24, 28);
  return Buffer.concat([header, randomBytes(width * height * 3)]);
}

export const offerOf = ({ origin }: OffersStub, n: number): object => ({
  id: `0199f000-0000-7000-8000-00000000000${n}`,
  title: `Wireless headphones ${n}`,
  content: "Thirty hours of music, and a battery that a screwdriver reaches.",
  cta: "See the offer",
  clickUrl: `${origin}/api/v1/clicks/0199f000-0000-7000-8000-00000000000${n}`,
  brand: { name: "Fellpath" },
  price: { amount: 89.9, currency: "EUR", originalPrice: 120, discount: 25 },
  rating: { value: 4.6, scale: 5, count: 1280 },
});
