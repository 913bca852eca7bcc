/** Reads server-sent events from a body, as the standard says: fields, comments, CR, LF or both, an event at each blank line. */
export interface Sse {
  id: string | null;
  event: string | null;
  data: string;
}

export async function* events(body: ReadableStream<Uint8Array>): AsyncGenerator<Sse> {
  const reader = body.pipeThrough(new TextDecoderStream() as unknown as ReadableWritablePair<string, Uint8Array>).getReader();
  let rest = "";
  let data: string[] = [];
  let id: string | null = null;
  let event: string | null = null;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      rest += done ? "\n" : value;
      // a CR at the very end may be half of a CRLF
      const end = !done && rest.endsWith("\r") ? rest.length - 1 : rest.length;
      const lines = rest.slice(0, end).split(/\r\n|\n|\r/);
      rest = (lines.pop() ?? "") + rest.slice(end);
      for (const line of lines) {
        if (line === "") {
          if (data.length > 0) yield { id, event, data: data.join("\n") };
          data = [];
          event = null;
          continue;
        }
        const colon = line.indexOf(":");
        const field = colon === -1 ? line : line.slice(0, colon);
        const value = colon === -1 ? "" : line.slice(colon + 1).replace(/^ /, "");
        if (field === "data") data.push(value);
        else if (field === "id") id = value;
        else if (field === "event") event = value;
      }
      if (done) return;
    }
  } finally {
    reader.cancel().catch(() => undefined);
  }
}
