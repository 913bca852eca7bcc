import { expect, type Page } from "@playwright/test";

/** True when the tests run against a real server: then only what any shop must do is asked for. */
export const real = Boolean(process.env.MERCER_URL);

/** Words that the sample shop and the stand-in both understand; others for other shops through the environment. */
export const wish = process.env.MERCER_WISH ?? "a red dress under 300";
export const refinement = process.env.MERCER_REFINEMENT ?? "in blue";
/** A wish that is slow at the stand-in, so that a reload falls into the middle of the answer. */
export const slow = real ? wish : `${wish} [slow]`;

export const input = (page: Page) => page.locator(".composer textarea");

export async function ask(page: Page, words: string): Promise<void> {
  await input(page).fill(words);
  await input(page).press("Enter");
}

export async function answered(page: Page, turns: number): Promise<void> {
  await expect(page.locator(".said-by-shop")).toHaveCount(turns);
  await expect(page.locator(".send[type=submit]")).toBeVisible();
  await expect(page.locator(".said-by-shop").last().locator(".prose")).not.toBeEmpty();
}

/** Fails on anything the browser complains about: a script error, a blocked style or script, a missing file. */
export function quiet(page: Page): string[] {
  const complaints: string[] = [];
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("console", (message) => {
    if (message.type() === "error" && !/Failed to load resource|ERR_INTERNET_DISCONNECTED|net::ERR/.test(message.text())) complaints.push(message.text());
  });
  return complaints;
}

/** A photograph as a camera would make it, drawn and encoded by the browser itself: a red coat on grey. */
export async function picture(page: Page, mimeType: "image/png" | "image/jpeg" | "image/webp"): Promise<{ name: string; mimeType: string; buffer: Buffer }> {
  const base64 = await page.evaluate((type) => {
    const canvas = document.createElement("canvas");
    canvas.width = 240;
    canvas.height = 300;
    const brush = canvas.getContext("2d")!;
    brush.fillStyle = "#d9d6d0";
    brush.fillRect(0, 0, 240, 300);
    brush.fillStyle = "#a3262b";
    brush.fillRect(70, 50, 100, 210);
    return canvas.toDataURL(type, 0.8).split(",")[1] ?? "";
  }, mimeType);
  return { name: `coat.${mimeType.slice(6)}`, mimeType, buffer: Buffer.from(base64, "base64") };
}
