import type { Words } from "../../i18n/en";

/** A value or name of the catalogue in the reader's words when we have some for it, as the shop wrote it otherwise. */
export function say(value: string, t: Words): string {
  return t.shop.values[value.toLowerCase()] ?? value;
}

export const sayAll = (values: string[], t: Words, comma: string): string => [...new Set(values.map((value) => say(value, t)))].join(comma);
