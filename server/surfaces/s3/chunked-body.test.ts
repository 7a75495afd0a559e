import { describe, expect, it } from "vitest";
import { ChunkSignatures } from "./chunk-signatures";
import { decodeChunks } from "./chunked-body";
import { signingKey } from "./signature";

const SECRET = "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY";
const SCOPE = { day: "20130524", region: "us-east-1" };
const CONTENT = "a".repeat(65_536 + 1024);

/** The two bodies of Amazon S3's documentation, with the signatures from there. */
const EXAMPLES = {
  chunks: {
    seed: "4f232c4386841ef735655705268965c44a0e4690baa4adea153f7db9fa80a0a9",
    signatures: [
      "ad80c730a21e5b8d04586a2213dd63b9a0e99e0e2307b0ade35a65485a288648",
      "0055627c9e194cb4542bae2aa5492e3c1575bbb81b612b7d234b86a503ef5497",
      "b6c6ea8a5354eaf15b3cb7646744f4275b71ea724fed81ceb9323e279d449df9",
    ],
    end: "\r\n",
    trailerNames: undefined,
  },
  trailers: {
    seed: "106e2a8a18243abcf37539882f36619c00e2dfc72633413f02d3b74544bfeb8e",
    signatures: [
      "b474d8862b1487a5145d686f57f013e54db672cee1c953b3010fb58501ef5aa2",
      "1c1344b170168f8e65b41376b44b20fe354e373826ccbbe2c1d40a8cae51e5c7",
      "2ca2aba2005185cf7159c6277faf83795951dd77a3a99e6e65d5c9f85863f992",
    ],
    end: "x-amz-checksum-crc32c:sOO8/Q==\r\nx-amz-trailer-signature:d81f82fc3505edab99d459891051a732e8730629a2e4a59689829ca17fe2e435\r\n\r\n",
    trailerNames: ["x-amz-checksum-crc32c"],
  },
};

type Example = (typeof EXAMPLES)[keyof typeof EXAMPLES];

function framed({ signatures, end }: Example): string {
  const lengths = [65_536, 1024, 0];
  return lengths
    .map((length, i) => {
      const head = `${length.toString(16)};chunk-signature=${signatures[i]}\r\n`;
      return length === 0 ? head + end : `${head}${"a".repeat(length)}\r\n`;
    })
    .join("");
}

interface Decoding {
  body: string;
  size?: number;
  seed?: string;
  trailerNames?: readonly string[] | undefined;
  step?: number;
}

async function decode({ body, size = CONTENT.length, seed, trailerNames, step = 10_000 }: Decoding) {
  async function* pieces(): AsyncGenerator<Uint8Array> {
    for (let at = 0; at < body.length; at += step) yield Buffer.from(body.slice(at, at + step), "latin1");
  }
  const by = {
    in: "header" as const,
    accessKeyId: "",
    scope: SCOPE,
    signedHeaders: [],
    signature: seed ?? "",
    time: "20130524T000000Z",
    signedAt: new Date(),
    payload: "",
    key: signingKey(SECRET, SCOPE),
  };
  let trailers: ReadonlyMap<string, string> = new Map();
  const signatures = seed === undefined ? undefined : new ChunkSignatures(by);
  const onTrailers = (received: ReadonlyMap<string, string>) => {
    trailers = received;
  };
  let text = "";
  for await (const piece of decodeChunks({ source: pieces(), size, signatures, trailerNames, onTrailers })) {
    text += Buffer.from(piece).toString("latin1");
  }
  return { text, trailers: Object.fromEntries(trailers) };
}

describe("a body in signed chunks", () => {
  it.each(Object.entries(EXAMPLES))("with %s is decoded, however it is cut into packets", async (_, example) => {
    for (const step of [70_000, 1000, 7]) {
      const { text } = await decode({ ...example, body: framed(example), step });
      expect(text === CONTENT).toBe(true);
    }
  });

  it.each<[string, (body: string) => string]>([
    ["one byte", (body) => body.replace("aaa", "aba")],
    ["the signature of the first chunk", (body) => body.replace("ad80c730", "ad80c731")],
    ["the signature of the last chunk", (body) => body.replace("b6c6ea8a", "b6c6ea8b")],
    ["a length", (body) => body.replace("10000;", "0ffff;")],
  ])("fails if %s was changed", async (_, change) => {
    const body = change(framed(EXAMPLES.chunks));
    await expect(decode({ body, seed: EXAMPLES.chunks.seed })).rejects.toThrow();
  });

  it("fails if the request had another signature, or a trailer another value", async () => {
    const other = EXAMPLES.chunks.seed.replace("4", "5");
    await expect(decode({ body: framed(EXAMPLES.chunks), seed: other })).rejects.toMatchObject({
      code: "SignatureDoesNotMatch",
    });
    const { seed, trailerNames } = EXAMPLES.trailers;
    const body = framed(EXAMPLES.trailers).replace("sOO8", "sOO9");
    await expect(decode({ body, seed, trailerNames })).rejects.toMatchObject({ code: "SignatureDoesNotMatch" });
  });
});

it("a body that is malformed, or that nobody reads to its end, closes its source", async () => {
  for (const first of ["nonsense\r\n", "5\r\nabcde\r\n"]) {
    let isClosed = false;
    async function* pieces(): AsyncGenerator<Uint8Array> {
      try {
        yield Buffer.from(first);
        yield Buffer.from("0\r\n\r\n");
      } finally {
        isClosed = true;
      }
    }
    const body = decodeChunks({ source: pieces(), size: 5, onTrailers: () => undefined });
    await body.next().catch(() => undefined);
    await body.return(undefined);
    expect(isClosed).toBe(true);
  }
});

describe("a body in chunks without signatures", () => {
  const trailerNames = ["x-amz-checksum-crc32"];
  const END = "0\r\nx-amz-checksum-crc32: NSRBwg==\r\n\r\n";

  it("gives its trailers", async () => {
    const found = await decode({ body: `3\r\nabc\r\n${END}`, size: 3, trailerNames, step: 1 });
    expect(found).toEqual({ text: "abc", trailers: { "x-amz-checksum-crc32": "NSRBwg==" } });
  });

  it("may have blanks around the colon of a trailer", async () => {
    const body = `3\r\nabc\r\n${END.replace(": ", " \t:  ")}`;
    expect(await decode({ body, size: 3, trailerNames })).toMatchObject({
      trailers: { "x-amz-checksum-crc32": "NSRBwg==" },
    });
  });

  it("may have no empty line at the end", async () => {
    const body = "3\r\nabc\r\n0\r\nx-amz-checksum-crc32:NSRBwg==\r\n";
    expect(await decode({ body, size: 3, trailerNames })).toMatchObject({ text: "abc" });
  });

  it.each<[string, string, number, string]>([
    ["no end", "3\r\nabc\r\n", 3, "IncompleteBody"],
    ["half a chunk", "5\r\nabc", 5, "IncompleteBody"],
    ["fewer bytes than announced", `3\r\nabc\r\n${END}`, 4, "IncompleteBody"],
    ["more bytes than announced", `3\r\nabc\r\n${END}`, 2, "IncompleteBody"],
    ["no length", `abc\r\n${END}`, 3, "IncompleteBody"],
    ["a negative length", `-3\r\nabc\r\n${END}`, 3, "IncompleteBody"],
    ["an endless line", "3".repeat(20_000), 3, "IncompleteBody"],
    ["a chunk longer than its length", `3\r\nabcd\r\n${END}`, 3, "IncompleteBody"],
    ["bytes after its end", `3\r\nabc\r\n${END}more`, 3, "IncompleteBody"],
    ["no trailer", "3\r\nabc\r\n0\r\n\r\n", 3, "MalformedTrailerError"],
    ["another trailer", "3\r\nabc\r\n0\r\nx-amz-checksum-sha1:x\r\n\r\n", 3, "MalformedTrailerError"],
    [
      "a repeated trailer",
      `3\r\nabc\r\n${END.replace("0\r\n", "0\r\nx-amz-checksum-crc32:x\r\n")}`,
      3,
      "MalformedTrailerError",
    ],
    ["a trailer without a colon", "3\r\nabc\r\n0\r\nx-amz\r\n\r\n", 3, "MalformedTrailerError"],
  ])("with %s fails", async (...[, body, size, code]) => {
    await expect(decode({ body, size, trailerNames })).rejects.toMatchObject({ code });
  });
});
