import { LoaderCircle, X } from "lucide-react";
import { SelectField } from "../../../components/form/fields";
import { Alert } from "../../../components/ui/alert";
import { Badge } from "../../../components/ui/badge";
import { Button } from "../../../components/ui/button";
import { Card } from "../../../components/ui/card";
import { countText } from "../../../format/count-text";
import { formatCount } from "../../../format/numbers";
import type { Column, Turn } from "./turn";
import { modelOf } from "./use-columns";

interface AnswerColumnProps {
  column: Column;
  /** From 1; tells the columns apart for screen readers. */
  position: number;
  models: readonly string[];
  onChoose: (model: string) => void;
  /** Absent for the only column and while answers arrive. */
  onRemove: (() => void) | undefined;
}

/** The conversation with one model. */
export function AnswerColumn({ column, position, models, onChoose, onRemove }: AnswerColumnProps) {
  return (
    <Card className="flex min-w-0 flex-col gap-4 p-4">
      <div className="flex items-end gap-2">
        <SelectField
          name={`model-${position}`}
          label={`Model ${position}`}
          className="min-w-0 flex-1"
          value={modelOf(column, models)}
          onChoose={onChoose}
          choices={models}
        />
        {onRemove && (
          <Button variant="ghost" size="icon" aria-label={`Remove model ${position}`} onClick={onRemove}>
            <X aria-hidden />
          </Button>
        )}
      </div>
      {column.turns.length === 0 ? (
        <p className="py-6 text-center text-muted-foreground text-sm">Answers appear here.</p>
      ) : (
        <ol aria-label={`Conversation with model ${position}`} className="space-y-5">
          {column.turns.map((turn) => (
            <TurnItem key={turn.id} turn={turn} />
          ))}
        </ol>
      )}
    </Card>
  );
}

const TurnItem = ({ turn }: { turn: Turn }) => (
  <li className="space-y-2 text-sm" aria-busy={turn.state === "running"}>
    <p className="whitespace-pre-wrap break-words rounded-lg bg-muted px-3 py-2">{turn.question}</p>
    {turn.answer !== "" && <p className="whitespace-pre-wrap break-words px-1 leading-6">{turn.answer}</p>}
    {turn.state === "failed" && <Alert tone="bad">{turn.failure}</Alert>}
    <TurnFacts turn={turn} />
  </li>
);

function TurnFacts({ turn: { state, usage, totalMs, firstMs, finish, isSimulated } }: { turn: Turn }) {
  const facts = [
    usage && `${formatCount(usage.prompt_tokens)} + ${countText(usage.completion_tokens, "token")}`,
    firstMs !== undefined && `first text after ${formatCount(firstMs)} ms`,
    totalMs !== undefined && `${formatCount(totalMs)} ms`,
    finish && finish !== "stop" && `ended by ${finish}`,
  ].filter(Boolean);
  return (
    <p className="flex flex-wrap items-center gap-x-2 gap-y-1 px-1 text-muted-foreground text-xs">
      {state === "running" && (
        <span role="status" className="inline-flex items-center gap-1.5">
          <LoaderCircle aria-hidden className="size-3.5 animate-spin" />
          Answering…
        </span>
      )}
      {state === "stopped" && <Badge tone="warn">stopped</Badge>}
      {isSimulated && <Badge tone="warn">simulated</Badge>}
      {facts.length > 0 && <span>{facts.join(" · ")}</span>}
    </p>
  );
}
