import { useEffect, useEffectEvent, useRef, useState } from "react";
import { useTRPCClient } from "../../../trpc/client";
import { failureOf } from "../../../trpc/failure";
import { AnswerEvents } from "./answer-events";
import { type Column, messagesOf, newColumn, newTurn, type Turn, withChunk } from "./turn";

export const COLUMNS_MAX = 3;

/** Where a question is asked. */
export interface Place {
  mode: "test" | "live";
  project?: string;
  system: string;
  /** The names of the models; a column whose model is not among them uses the first. */
  models: readonly string[];
}

/** The conversations of the playground, one for each column; answers are written into them as they arrive. */
export function useColumns() {
  const client = useTRPCClient();
  const [columns, setColumns] = useState<Column[]>(() => [newColumn("")]);
  const { running, stop } = useRunning();

  const change = (id: string, changed: (column: Column) => Column) =>
    setColumns((all) => all.map((column) => (column.id === id ? changed(column) : column)));

  const ask = async (column: Column, question: string, { models, system, ...place }: Place) => {
    const controller = new AbortController();
    running.add(controller);
    let turn = newTurn(question);
    const show = (next: Turn) => {
      turn = next;
      change(column.id, (now) => ({ ...now, turns: [...now.turns.filter(({ id }) => id !== next.id), next] }));
    };
    show(turn);
    const startMs = performance.now();
    const msSince = () => Math.round(performance.now() - startMs);
    const model = modelOf(column, models);
    const messages = messagesOf(system, column.turns, question);
    try {
      const parts = await client.createChatCompletion.mutate(
        { model, messages, stream: true, stream_options: { include_usage: true }, ...place },
        { signal: controller.signal },
      );
      const events = new AnswerEvents();
      for await (const part of parts) {
        for (const chunk of events.push(part)) turn = withChunk(turn, chunk, msSince());
        show(turn);
      }
      if (turn.state === "running") turn = { ...turn, state: controller.signal.aborted ? "stopped" : "done" };
    } catch (failure) {
      turn = controller.signal.aborted
        ? { ...turn, state: "stopped" }
        : { ...turn, state: "failed", failure: failureOf(failure).message };
    }
    running.delete(controller);
    show({ ...turn, totalMs: msSince() });
  };

  return {
    columns,
    isRunning: columns.some(({ turns }) => turns.at(-1)?.state === "running"),
    send: (question: string, place: Place) => {
      for (const column of columns) void ask(column, question, place);
    },
    stop,
    add: () => setColumns((all) => (all.length < COLUMNS_MAX ? [...all, newColumn("")] : all)),
    remove: (id: string) => setColumns((all) => all.filter((column) => column.id !== id)),
    choose: (id: string, model: string) => change(id, (column) => ({ ...column, model })),
    clear: () => setColumns((all) => all.map((column) => ({ ...column, turns: [] }))),
  };
}

/** What stops the answers that are arriving; leaving the page stops them too. */
function useRunning() {
  const { current: running } = useRef(new Set<AbortController>());
  const stop = () => {
    for (const controller of running) controller.abort();
  };
  const leave = useEffectEvent(stop);
  useEffect(() => () => leave(), []);
  return { running, stop };
}

export const modelOf = ({ model }: Column, models: readonly string[]): string =>
  models.includes(model) ? model : (models[0] ?? "");
