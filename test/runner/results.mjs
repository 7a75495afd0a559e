const UNSTABLE_MAX = 3;
/** So many failed files have a cause that a second look does not find. */
const LOOKED_AT_AGAIN_MAX = 10;

const isFailed = ({ failed }) => failed > 0;
const nameOf = (key) => key.slice(key.indexOf(" ") + 1);

/** What the files of a run came to; a key is `<project> <file>`. */
export class Results {
  #files = new Map();
  /** The first result of each file that has run once more. */
  #first = new Map();
  #failures = [];

  /** The second result of a file replaces the first. */
  add(key, result) {
    this.#files.set(key, result);
  }

  /** A file whose worker ended before the file did. */
  lost(key) {
    const failures = [{ test: "outside of its tests", error: "the worker ended" }];
    this.add(key, { passed: 0, failed: 1, skipped: 0, failures, seconds: 0 });
  }

  /** Errors that belong to no file. */
  unhandled(errors) {
    for (const error of errors) this.fail(`unhandled error: ${error}`);
  }

  /** A failure of the run itself. */
  fail(reason) {
    this.#failures.push(reason);
  }

  withoutResult(keys) {
    return keys.filter((key) => !this.#files.has(key));
  }

  toLookAtAgain() {
    const failed = [...this.#files].filter(([, result]) => isFailed(result)).map(([key]) => key);
    return failed.length > LOOKED_AT_AGAIN_MAX ? [] : failed;
  }

  lookAgain(key) {
    this.#first.set(key, this.#files.get(key));
    this.#files.delete(key);
  }

  /** Whole seconds by file, for those that passed. */
  seconds() {
    const passed = [...this.#files].filter(([, result]) => !isFailed(result));
    return Object.fromEntries(passed.map(([key, { seconds }]) => [nameOf(key), Math.round(seconds)]));
  }

  /** The last lines of a run, and whether it passed. */
  verdict({ needsFiles }) {
    const all = [...this.#files.values()];
    const count = (name) => all.reduce((sum, result) => sum + result[name], 0);
    const unstable = [...this.#first].filter(([key]) => this.#files.has(key) && !isFailed(this.#files.get(key)));
    const reasons = [...this.#failures];
    for (const key of this.#first.keys()) if (!this.#files.has(key)) reasons.push(`no second result of ${nameOf(key)}`);
    if (unstable.length > UNSTABLE_MAX) {
      reasons.push(`${unstable.length} unstable files, of ${UNSTABLE_MAX} at most`);
    }
    if (needsFiles && all.length === 0 && reasons.length === 0) reasons.push("no test file was found");
    const failed = count("failed") + reasons.length;
    const skipped = count("skipped");
    const closing = `${count("passed")} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`;
    const unstableLines = unstable.map(
      ([
        key,
        {
          failures: [first],
        },
      ]) => {
        return `unstable: ${nameOf(key)}: ${first?.test}: ${first?.error}`;
      },
    );
    const failedLines = [...this.#files].flatMap(([key, { failures }]) =>
      failures.map(({ test, error }) => `failed: ${nameOf(key)}: ${test}: ${error}`),
    );
    const lines = [...failedLines, ...reasons.map((reason) => `failed: ${reason}`), ...unstableLines, closing];
    return { lines, isPassed: failed === 0 };
  }
}
