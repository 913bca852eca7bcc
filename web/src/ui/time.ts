import type { Lang } from "../api/types";
import type { Words } from "../i18n/en";

let zone: string | undefined;

/** Moments are told in the shop's zone, once it is known and the browser knows it too; in the reader's own until then. */
export function inZone(name: string | null): void {
  try {
    zone = name === null ? undefined : new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone;
  } catch {
    zone = undefined;
  }
}

const tag = (lang: Lang) => (lang === "zh" ? "zh-CN" : "en-GB");

/** A moment in words; the exact time belongs into the title beside it. */
export function ago(iso: string, now: number, t: Words["time"], lang: Lang): string {
  const at = Date.parse(iso);
  if (Number.isNaN(at)) return "–";
  const minutes = Math.floor((now - at) / 60_000);
  if (minutes < 1) return t.now;
  if (minutes < 60) return t.minutes(minutes);
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return t.hours(hours);
  const days = Math.floor(hours / 24);
  if (days === 1) return t.yesterday;
  if (days < 7) return t.days(days);
  return new Intl.DateTimeFormat(tag(lang), { year: "numeric", month: "short", day: "numeric", timeZone: zone }).format(at);
}

export function exact(iso: string, lang: Lang): string {
  const at = Date.parse(iso);
  return Number.isNaN(at) ? "" : new Intl.DateTimeFormat(tag(lang), { dateStyle: "medium", timeStyle: "long", timeZone: zone }).format(at);
}

export function clock(iso: string, lang: Lang): string {
  const at = Date.parse(iso);
  if (Number.isNaN(at)) return "";
  return new Intl.DateTimeFormat(tag(lang), { hour: "2-digit", minute: "2-digit", second: "2-digit", hour12: false, timeZone: zone }).format(at);
}

export function span(milliseconds: number, t: Words["time"]): string {
  if (!Number.isFinite(milliseconds) || milliseconds < 0) return "–";
  if (milliseconds < 950) return t.milliseconds(Math.round(milliseconds));
  const seconds = milliseconds / 1000;
  if (seconds < 10) return t.seconds(Math.round(seconds * 10) / 10);
  if (seconds < 60) return t.seconds(Math.round(seconds));
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return t.minutesLong(minutes, Math.round(seconds % 60));
  return t.hoursLong(Math.floor(minutes / 60), minutes % 60);
}
