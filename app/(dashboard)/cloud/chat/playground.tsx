"use client";

import { MessagesSquare, Plus, Square } from "lucide-react";
import { type KeyboardEvent, useState } from "react";
import { SelectField, TextAreaField } from "../../../components/form/fields";
import { QueryContent } from "../../../components/query-content";
import { Alert } from "../../../components/ui/alert";
import { Button } from "../../../components/ui/button";
import { cn } from "../../../components/ui/cn";
import { EmptyState } from "../../../components/ui/empty-state";
import { Link } from "../../../components/ui/link";
import { useQueryOf } from "../../../trpc/use-operation";
import { useProjects } from "../../account/api-keys/use-projects";
import { useHasScope } from "../../components/shell/access";
import { useMode } from "../../components/shell/mode";
import { AnswerColumn } from "./answer-column";
import { COLUMNS_MAX, useColumns } from "./use-columns";

/** One conversation with up to three models side by side. */
export function Playground() {
  const { mode } = useMode();
  const { projects } = useProjects();
  const [project, setProject] = useState("");
  const query = useQueryOf("listChatModels", { mode, ...(project && { project }) });
  if (!useHasScope("gateway:write")) return <Alert>Your role can read chat requests but not send any.</Alert>;
  return (
    <div className="space-y-4">
      {projects.length > 1 && (
        <SelectField
          name="project"
          label="Project"
          className="max-w-xs"
          value={project || projects[0]?.id}
          onChoose={setProject}
          choices={projects}
        />
      )}
      <QueryContent query={query}>
        {({ data }) => {
          const models = data.filter(({ kind }) => kind === "chat").map(({ id }) => id);
          if (models.length > 0) return <Conversation key={mode} models={models} project={project} />;
          return (
            <EmptyState icon={MessagesSquare} title={`No models in ${mode} mode yet`}>
              Add an upstream with its models in the{" "}
              <Link href="/cloud/chat/settings" className="underline underline-offset-2">
                settings
              </Link>
              . In test mode <span className="whitespace-nowrap">svc-echo</span> answers without any.
            </EmptyState>
          );
        }}
      </QueryContent>
    </div>
  );
}

const WIDTHS = ["", "lg:grid-cols-2", "lg:grid-cols-2 xl:grid-cols-3"];

function Conversation({ models, project }: { models: readonly string[]; project: string }) {
  const { mode } = useMode();
  const conversations = useColumns();
  const { columns, isRunning, send } = conversations;
  const [system, setSystem] = useState("");
  const [question, setQuestion] = useState("");
  const canSend = question.trim() !== "" && !isRunning;
  const submit = () => {
    if (!canSend) return;
    send(question, { mode, system, models, ...(project && { project }) });
    setQuestion("");
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    submit();
  };
  return (
    <div className="space-y-4">
      <TextAreaField
        name="system"
        label="System prompt"
        optional
        rows={2}
        value={system}
        onChange={(event) => setSystem(event.target.value)}
        onKeyDown={onKeyDown}
        hint="Sent first with each message, to every model."
      />
      <div className={cn("grid gap-4", WIDTHS[columns.length - 1])}>
        {columns.map((column, at) => (
          <AnswerColumn
            key={column.id}
            column={column}
            position={at + 1}
            models={models}
            onChoose={(model) => conversations.choose(column.id, model)}
            onRemove={columns.length > 1 && !isRunning ? () => conversations.remove(column.id) : undefined}
          />
        ))}
      </div>
      <TextAreaField
        name="message"
        label="Message"
        rows={3}
        value={question}
        onChange={(event) => setQuestion(event.target.value)}
        onKeyDown={onKeyDown}
        hint="Ctrl+Enter or ⌘+Enter sends it."
      />
      <ConversationButtons conversations={conversations} onSend={canSend ? submit : undefined} />
    </div>
  );
}

interface ConversationButtonsProps {
  conversations: ReturnType<typeof useColumns>;
  /** Undefined: there is nothing to send. */
  onSend: (() => void) | undefined;
}

const ConversationButtons = ({ conversations, onSend }: ConversationButtonsProps) => {
  const { columns, isRunning, stop, add, clear } = conversations;
  const isEmpty = columns.every(({ turns }) => turns.length === 0);
  return (
    <div className="flex flex-wrap gap-2">
      {isRunning ? (
        <Button onClick={stop} icon={Square}>
          Stop
        </Button>
      ) : (
        <Button onClick={onSend} disabled={!onSend}>
          Send
        </Button>
      )}
      {columns.length < COLUMNS_MAX && (
        <Button variant="outline" onClick={add} disabled={isRunning} icon={Plus}>
          Add a model
        </Button>
      )}
      <Button variant="outline" onClick={clear} disabled={isRunning || isEmpty}>
        Clear conversation
      </Button>
    </div>
  );
};
