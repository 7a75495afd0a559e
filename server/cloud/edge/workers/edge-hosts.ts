/** Which hosts belong to edge functions: those one label below a domain. */
export class EdgeHosts {
  readonly #publicUrl: URL;
  readonly #domain: string | undefined;

  /** Without a domain there are none. */
  constructor({ publicUrl, edgeDomain }: { publicUrl: string; edgeDomain: string | undefined }) {
    this.#publicUrl = new URL(publicUrl);
    this.#domain = edgeDomain;
  }

  urlOf(slug: string): string | null {
    if (this.#domain === undefined) return null;
    const { protocol, port } = this.#publicUrl;
    return `${protocol}//${slug}.${this.#domain}${port === "" ? "" : `:${port}`}/`;
  }

  /** The labels below the domain, empty for the domain itself; undefined for other hosts. Takes a `Host` header. */
  slugOf(host = ""): string | undefined {
    if (this.#domain === undefined) return undefined;
    const name = host.toLowerCase().replace(/:\d*$/, "");
    if (name === this.#domain) return "";
    return name.endsWith(`.${this.#domain}`) ? name.slice(0, -this.#domain.length - 1) : undefined;
  }
}
