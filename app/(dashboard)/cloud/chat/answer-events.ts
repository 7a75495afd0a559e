/** What the playground uses of a chunk in OpenAI's format. */
export interface AnswerChunk {
  choices?: { delta?: { content?: string | null }; finish_reason?: string | null }[];
  usage?: { prompt_tokens: number; completion_tokens: number } | null;
  simulated?: boolean;
  error?: { message: string } | null;
}

/** Reads the chunks out of server-sent events whose text arrives in parts of any length. */
export class AnswerEvents {
  #rest = "";

  /** The chunks that are complete with this part; the end mark is none. */
  push(part: string): AnswerChunk[] {
    const events = (this.#rest + part).split(/\r?\n\r?\n/);
    this.#rest = events.pop() ?? "";
    return events.flatMap((event) => {
      const text = event
        .split(/\r?\n/)
        .filter((line) => line.startsWith("data:"))
        .map((line) => line.slice(5).trimStart())
        .join("\n");
      return text === "" || text === "[DONE]" ? [] : [JSON.parse(text) as AnswerChunk];
    });
  }
}
