// Makes answers as parts of the UI message stream. Words in square brackets ask for trouble: [slow] [fail] [cut] [odd].
import { card, search, understand } from "./catalogue.mjs";

const ODD = [
  "Here is **bold**, *thin* and `code`, a [good link](https://example.com/a) and a [bad one](javascript:alert(1)).\n\n",
  "<script>window.__pwned = 1</script><img src=x onerror=\"window.__pwned = 2\"> <b>not bold</b>\n\n",
  "```json\n{\"product\": {\"id\": \"P1001\", \"price\": 1}}\n```\n\n",
  "Supercalifragilistic" + "expialidocious".repeat(40) + "\n\n",
  "هذا فستان أحمر جميل، السعر 159 يوان\n\n",
  "1. one\n2. two\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n![a picture](https://evil.example/x.png)\n\n> quoted\n\n```\nunclosed fence **here**",
];

export function* answer(turn) {
  const { text, lang, pictures, standing, messageId } = turn;
  const conditions = turn.conditions ?? understand(text, standing, lang);
  const pause = /\[slow\]/.test(text) ? 240 : turn.pace;
  yield { chunk: { type: "start", messageId, messageMetadata: { by_rules: true, run: turn.run, thread: turn.thread } }, wait: 10 };
  yield { chunk: { type: "start-step" }, wait: 0 };
  if (/\[odd\]/.test(text)) {
    yield { chunk: { type: "text-start", id: "t1" }, wait: 0 };
    for (const piece of ODD) yield { chunk: { type: "text-delta", id: "t1", delta: piece }, wait: 20 };
    yield { chunk: { type: "text-end", id: "t1" }, wait: 0 };
  } else {
    if (pictures.length > 0) {
      yield { chunk: { type: "tool-input-available", toolCallId: `${messageId}-p`, toolName: "analyze_image_style", input: { image_id: pictures[0] } }, wait: pause };
      yield { chunk: { type: "tool-output-available", toolCallId: `${messageId}-p`, output: { colours: ["red"], summary: lang === "zh" ? "红色 · 长款" : "red · long" } }, wait: pause };
    }
    const call = `${messageId}-s`;
    const query = conditions.map((c) => c.label).join(" ");
    yield { chunk: { type: "tool-input-start", toolCallId: call, toolName: "search_products" }, wait: pause };
    yield { chunk: { type: "tool-input-available", toolCallId: call, toolName: "search_products", input: { query, limit: 20 } }, wait: pause };
    const hits = search(conditions);
    yield { chunk: { type: "tool-output-available", toolCallId: call, output: { total: hits.length, items: hits.slice(0, 3).map((h) => h.id) } }, wait: pause };
    const cards = hits.slice(0, 10).map((p) => card(p, lang, conditions.map((c) => c.label)));
    yield { chunk: { type: "data-conditions", id: "conditions", data: { conditions, thread: turn.thread } }, wait: 0 };
    if (cards.length > 0) yield { chunk: { type: "data-products", id: messageId, data: { products: cards } }, wait: pause };
    const words =
      hits.length === 0
        ? lang === "zh"
          ? ["这个条件下", "暂时没有。", "去掉一个条件再看看？"]
          : ["Nothing on the shelves ", "meets all of this. ", "Take one condition away?"]
        : lang === "zh"
          ? [`找到 ${hits.length} 件`, query ? `，都符合“${query}”。` : "。", `最便宜的是 **${cheapest(cards)}**。`, "要不要再看看别的颜色？"]
          : [`${hits.length} products `, query ? `meet “${query}”. ` : "are on the shelves. ", `The lowest price is **${cheapest(cards)}**. `, "Shall I look at other colours?"];
    yield { chunk: { type: "text-start", id: "t1" }, wait: 0 };
    for (const [n, word] of words.entries()) {
      if (n === 2 && /\[fail\]/.test(text)) {
        yield { chunk: { type: "error", errorText: lang === "zh" ? "模型中途没有回应。已经说的都保留着，请再试一次。" : "The model stopped answering. What was said is kept; try again." }, wait: pause, failed: true };
        return;
      }
      for (const piece of word.match(/.{1,6}/gs) ?? []) yield { chunk: { type: "text-delta", id: "t1", delta: piece }, wait: pause, cut: n === 2 && /\[cut\]/.test(text) };
    }
    yield { chunk: { type: "text-end", id: "t1" }, wait: 0 };
  }
  yield { chunk: { type: "finish-step" }, wait: 0 };
  yield { chunk: { type: "finish" }, wait: 0 };
}

const cheapest = (cards) => cards.filter((c) => c.price !== null).sort((a, b) => a.price - b.price)[0]?.price_text ?? "–";

/** Folds stream parts into the message they make, as the real server keeps it. */
export function fold(message, chunk) {
  const parts = message.parts;
  const tool = (id) => parts.find((p) => p.toolCallId === id);
  switch (chunk.type) {
    case "start":
      message.metadata = chunk.messageMetadata;
      break;
    case "text-start":
      parts.push({ type: "text", text: "", state: "done" });
      break;
    case "text-delta":
      parts.findLast((p) => p.type === "text").text += chunk.delta;
      break;
    case "tool-input-start":
      parts.push({ type: `tool-${chunk.toolName}`, toolCallId: chunk.toolCallId, state: "input-streaming", input: undefined });
      break;
    case "tool-input-available": {
      const known = tool(chunk.toolCallId);
      if (known) Object.assign(known, { state: "input-available", input: chunk.input });
      else parts.push({ type: `tool-${chunk.toolName}`, toolCallId: chunk.toolCallId, state: "input-available", input: chunk.input });
      break;
    }
    case "tool-output-available":
      Object.assign(tool(chunk.toolCallId), { state: "output-available", output: chunk.output });
      break;
    default:
      if (chunk.type.startsWith("data-")) parts.push({ type: chunk.type, id: chunk.id, data: chunk.data });
  }
}
