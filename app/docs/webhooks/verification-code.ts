import type { CodeLanguage } from "../highlighted";

const NODE = `import { createServer } from "node:http";
import { webhooks } from "@svc/sdk";

const secret = process.env.SVC_WEBHOOK_SECRET;

createServer(async (request, response) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  try {
    const event = await webhooks.verify(Buffer.concat(chunks), request.headers, secret);
    console.log(event.type, event.id);
    response.writeHead(204).end();
  } catch (failure) {
    console.error(failure.message);
    response.writeHead(400).end();
  }
}).listen(4000, "localhost");
`;

const PYTHON = `import hashlib
import hmac
import json
import os
import re
import time
from http.server import BaseHTTPRequestHandler, HTTPServer

SECRET = os.environ["SVC_WEBHOOK_SECRET"].encode()
TOLERANCE_SECONDS = 300


def verify(raw_body, signature_header):
    """Returns the event. Raises ValueError for a delivery that must not be trusted."""
    parts = [part.strip().partition("=") for part in signature_header.split(",")]
    timestamp = next((value for name, _, value in parts if name == "t"), "")
    if not re.fullmatch("[0-9]{1,12}", timestamp):
        raise ValueError("malformed signature header")
    if abs(time.time() - int(timestamp)) > TOLERANCE_SECONDS:
        raise ValueError("timestamp outside of the tolerance")
    signed = timestamp.encode() + b"." + raw_body
    expected = hmac.new(SECRET, signed, hashlib.sha256).hexdigest().encode()
    # During a rotation there are two signatures.
    if not any(hmac.compare_digest(expected, value.encode()) for name, _, value in parts if name == "v1"):
        raise ValueError("no signature matches")
    return json.loads(raw_body)


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        raw_body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        try:
            event = verify(raw_body, self.headers.get("X-SVC-Signature", ""))
        except ValueError as failure:
            print(failure)
            self.send_response(400)
        else:
            print(event["type"], event["id"])
            self.send_response(204)
        self.end_headers()


HTTPServer(("localhost", 4000), Receiver).serve_forever()
`;

const GO = `package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"log"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"
)

const toleranceSeconds = 300

// verify returns an error for a delivery that must not be trusted.
func verify(rawBody []byte, signatureHeader string, secret []byte) error {
	var timestamp string
	var signatures []string
	for _, part := range strings.Split(signatureHeader, ",") {
		name, value, _ := strings.Cut(strings.TrimSpace(part), "=")
		switch name {
		case "t":
			timestamp = value
		case "v1":
			signatures = append(signatures, value)
		}
	}
	seconds, err := strconv.ParseInt(timestamp, 10, 64)
	if err != nil {
		return errors.New("malformed signature header")
	}
	age := time.Now().Unix() - seconds
	if age > toleranceSeconds || age < -toleranceSeconds {
		return errors.New("timestamp outside of the tolerance")
	}
	mac := hmac.New(sha256.New, secret)
	mac.Write([]byte(timestamp + "."))
	mac.Write(rawBody)
	expected := []byte(hex.EncodeToString(mac.Sum(nil)))
	// During a rotation there are two signatures.
	for _, signature := range signatures {
		if hmac.Equal(expected, []byte(signature)) {
			return nil
		}
	}
	return errors.New("no signature matches")
}

func main() {
	secret := []byte(os.Getenv("SVC_WEBHOOK_SECRET"))
	if len(secret) == 0 {
		log.Fatal("SVC_WEBHOOK_SECRET is not set")
	}
	http.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		rawBody, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 1<<20))
		if err == nil {
			err = verify(rawBody, r.Header.Get("X-SVC-Signature"), secret)
		}
		if err != nil {
			log.Print(err)
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		log.Printf("%s", rawBody)
		w.WriteHeader(http.StatusNoContent)
	})
	log.Fatal(http.ListenAndServe("localhost:4000", nil))
}
`;

interface VerificationCode {
  label: string;
  grammar: CodeLanguage;
  /** What the program needs. */
  needs: string;
  code: string;
}

/** A receiver on port 4000 for each language, with the secret in the environment variable SVC_WEBHOOK_SECRET. */
export const VERIFICATION_CODE = {
  node: { label: "Node.js", grammar: "javascript", needs: "Node.js, with @svc/sdk", code: NODE },
  python: { label: "Python", grammar: "python", needs: "Python 3, standard library only", code: PYTHON },
  go: { label: "Go", grammar: "go", needs: "Go 1.19, standard library only", code: GO },
} as const satisfies Record<string, VerificationCode>;
