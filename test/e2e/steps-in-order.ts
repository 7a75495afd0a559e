import { beforeEach } from "vitest";

/** For tests that go on where the one before ended: after a failure, those behind it in the same file or suite are skipped. */
export function stepsInOrder(): void {
  beforeEach(({ task, skip }) => {
    const before = task.suite?.tasks ?? task.file.tasks;
    if (before.some((one) => one.result?.state === "fail")) skip("the step before failed");
  });
}
