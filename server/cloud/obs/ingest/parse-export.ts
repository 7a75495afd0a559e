import { parseJson } from "../../../kernel/parse-json";
import { parseOtlp, type RowOwner } from "./parse-otlp";
import type { Signal } from "./telemetry";
import { lineOf } from "./telemetry-line";

/** The body of an export request, and where its records belong. */
export interface ExportRequest {
  signal: Signal;
  /** JSON in UTF-8. */
  body: Uint8Array;
  owner: RowOwner;
  now: Date;
}

export interface ParsedExport {
  /** Of the write-ahead file; undefined: no record is accepted. */
  line: string | undefined;
  records: number;
  refused: number;
  message?: string | undefined;
}

/** Reads an export request. Throws `invalid_request` for what is none. */
export function parseExport({ signal, body, owner, now }: ExportRequest): ParsedExport {
  const { resources, rows, refused, message } = parseOtlp(signal, parseJson(body), { now, owner });
  const line = rows.length === 0 ? undefined : lineOf({ signal, rid: owner.rid, resources, rows });
  return { line, records: rows.length, refused, message };
}
