/** Host names of this machine's loopback interface, as `URL.hostname` writes them. */
export const LOOPBACK_HOSTS: ReadonlySet<string> = new Set(["localhost", "127.0.0.1", "[::1]"]);
