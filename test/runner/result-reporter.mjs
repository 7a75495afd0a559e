import path from "node:path";

const ERROR_CHARS = 200;

/** Sends the result of each file to the process that started this run. */
export default class ResultReporter {
  #root = process.cwd();

  onInit({ config }) {
    this.#root = config.root;
  }

  onTestModuleQueued(module) {
    send({ type: "began", key: this.#keyOf(module) });
  }

  onTestModuleEnd(module) {
    send({ type: "ended", key: this.#keyOf(module), result: resultOf(module) });
  }

  onTestRunEnd(modules, unhandled) {
    for (const module of modules) {
      if (module.state() !== "queued" && module.state() !== "pending") this.onTestModuleEnd(module);
    }
    send({ type: "unhandled", errors: unhandled.filter((error) => !isLostWorker(error)).map(lineOf) });
  }

  #keyOf(module) {
    return `${module.project.name} ${path.relative(this.#root, module.moduleId)}`;
  }
}

function resultOf(module) {
  const result = { passed: 0, failed: 0, skipped: 0, failures: [], seconds: 0 };
  for (const test of module.children.allTests()) {
    const { state, errors } = test.result();
    result[state === "pending" ? "skipped" : state]++;
    if (state === "failed") result.failures.push({ test: test.fullName, error: lineOf(errors?.[0]) });
  }
  // A file that could not be loaded, or whose hooks failed, has errors of its own.
  const suites = [module, ...module.children.allSuites()];
  for (const error of suites.flatMap((suite) => suite.errors())) {
    result.failed++;
    result.failures.push({ test: "outside of its tests", error: lineOf(error) });
  }
  const { duration, setupDuration, collectDuration } = module.diagnostic();
  result.seconds = (duration + setupDuration + collectDuration) / 1000;
  return result;
}

/** A worker that ended is a failure of the file that it ran, which has no result. */
function isLostWorker(error) {
  const causes = error.errors ?? [error];
  return causes.every(({ message }) => String(message).includes("[vitest-pool]"));
}

const lineOf = (error) =>
  String(error?.message ?? error)
    .replace(/\s+/g, " ")
    .slice(0, ERROR_CHARS);

const send = (message) => process.send?.(message);
