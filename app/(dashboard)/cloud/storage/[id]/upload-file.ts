/** Where and how a file is sent. */
export interface PresignedPut {
  url: string;
  headers: Record<string, string>;
}

interface UploadOptions {
  file: File;
  onProgress: (sentBytes: number) => void;
  signal: AbortSignal;
}

/** Sends a file to a presigned URL. Rejects with an Error that says why; `fetch` cannot report the progress of a body. */
export function uploadFile({ url, headers }: PresignedPut, { file, onProgress, signal }: UploadOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open("PUT", url);
    for (const [name, value] of Object.entries(headers)) {
      // Browsers set the host and the length themselves.
      if (!/^(host|content-length)$/i.test(name)) request.setRequestHeader(name, value);
    }
    request.upload.addEventListener("progress", ({ loaded }) => onProgress(loaded));
    request.addEventListener("load", () => {
      if (request.status < 300) resolve();
      else reject(new Error(messageOf(request.responseText) ?? `The server responded with status ${request.status}.`));
    });
    request.addEventListener("error", () => reject(new Error("The connection was lost.")));
    request.addEventListener("abort", () => reject(new Error("Stopped.")));
    if (signal.aborted) return reject(new Error("Stopped."));
    signal.addEventListener("abort", () => request.abort());
    request.send(file);
  });
}

/** The message of an S3 error. */
function messageOf(xml: string): string | undefined {
  const message = new DOMParser().parseFromString(xml, "application/xml").querySelector("Error > Message")?.textContent;
  return message ?? undefined;
}
