"use client";

import { useMutation } from "@tanstack/react-query";
import { type KeyboardEvent, useRef, useState } from "react";
import { TextField } from "../../../../components/form/fields";
import { Form } from "../../../../components/form/form";
import { Button } from "../../../../components/ui/button";
import { Section } from "../../../../components/ui/card";
import { type Outputs, useTRPC } from "../../../../trpc/client";
import type { Pod } from "../pod";
import { LogWindow } from "./log-window";
import { endText, steppedBack } from "./shell-text";

type Executed = Outputs["cloud"]["pods"]["exec"];

interface Line {
  typed: string;
  result: Executed;
}

/** Older lines are dropped: each may have a megabyte of output. */
const LINES_MAX = 20;
const TIMEOUT_SECONDS = 60;

/** Runs command lines with the pod's shell and shows what they print. Each one starts a shell of its own. */
export function PodShell({ pod }: { pod: Pod }) {
  const trpc = useTRPC();
  const [lines, setLines] = useState<readonly Line[]>([]);
  const [typed, setTyped] = useState("");
  const back = useRef(0);
  const execute = useMutation(
    trpc.cloud.pods.exec.mutationOptions({
      meta: { inline: true },
      onSuccess: (result, { command }) => {
        setLines([...lines, { typed: command.at(-1) ?? "", result }].slice(-LINES_MAX));
        setTyped("");
        back.current = 0;
      },
    }),
  );
  const run = () => {
    if (typed.trim() !== "" && !execute.isPending) {
      execute.mutate({ id: pod.id, command: ["/bin/sh", "-c", typed], timeout_seconds: TIMEOUT_SECONDS });
    }
  };
  const recall = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key !== "ArrowUp" && event.key !== "ArrowDown") return;
    event.preventDefault();
    const step = steppedBack(
      lines.map((line) => line.typed),
      { from: back.current, by: event.key === "ArrowUp" ? 1 : -1 },
    );
    back.current = step.back;
    setTyped(step.typed);
  };
  return (
    <Section
      title="Shell"
      description={`Runs a command line with /bin/sh in the pod, for at most ${TIMEOUT_SECONDS} seconds. Each line starts in the working directory of the pod, and programs cannot ask for input.`}
    >
      <div className="space-y-3">
        {lines.length > 0 && <LogWindow label="Command lines and their output" text={lines.map(textOf).join("\n")} />}
        <Form error={execute.error} fieldOf={() => "line"} onSubmit={run} className="flex items-end gap-2">
          <TextField
            name="line"
            label="Command line"
            className="min-w-0 flex-1 [&_input]:font-mono"
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
            onKeyDown={recall}
            placeholder="ls -l"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
          />
          <Button type="submit" variant="outline" pending={execute.isPending}>
            Run
          </Button>
        </Form>
      </div>
    </Section>
  );
}

const textOf = ({ typed, result }: Line): string =>
  [`$ ${typed}`, `${result.stdout}${result.stderr}`.trimEnd(), endText(result)]
    .filter((part) => part !== "")
    .join("\n");
