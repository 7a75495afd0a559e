/** What the kernel restricts for the embedded engine; see confine.mjs. */
export type Confined = "nothing" | "files" | "files_and_network";

const REMEDY =
  "run svc on Linux 6.7 or newer with Landlock enabled, or set CLICKHOUSE_URL to your own ClickHouse server";

/**
 * One sentence for the log: what is not restricted on this machine, and what to do. Undefined if everything is
 * restricted.
 */
export function confinementWarning(confined: Confined): string | undefined {
  if (confined === "nothing") {
    return `the kernel does not confine the embedded ClickHouse (no Landlock): its SQL file functions can read every file that svc can read, and it can open network connections; ${REMEDY}`;
  }
  if (confined === "files") {
    return `the kernel confines the embedded ClickHouse to its own folder, but does not prevent it from opening network connections; ${REMEDY}`;
  }
  return undefined;
}
