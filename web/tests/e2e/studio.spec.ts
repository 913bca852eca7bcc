import { expect, test } from "@playwright/test";
import { picture, quiet, real } from "./help";

test.skip(!real, "the stand-in has no studio");
test.setTimeout(120_000);

test("a photo becomes a measured picture, is refined, started again from a step and exported for a market", async ({ page }) => {
  const complaints = quiet(page);
  await page.goto("/studio");
  await page.locator("[data-testid=studio-photo]").setInputFiles(await picture(page, "image/png"));
  await expect(page.locator(".studio-photo[data-has=true] img")).toBeVisible();
  await page.locator(".studio-wish textarea").first().fill("A quiet background");
  await page.locator(".studio-wish textarea").nth(1).fill("Pure wool\nTwo pockets");
  await page.locator(".studio-wish > .button.primary").click();
  await expect(page).toHaveURL(/\/studio\/thr_/);
  await expect(page.locator(".job")).toHaveAttribute("aria-busy", "false", { timeout: 60_000 });
  await expect(page.locator(".path li[data-state=done]").last()).toBeVisible();
  await expect(page.locator(".gates li").first()).toBeVisible();
  const first = await page.locator(".film li button").count();
  await page.locator("#refine").fill("another background");
  await page.locator(".refine button").click();
  await expect.poll(() => page.locator(".film li button").count(), { timeout: 60_000 }).toBeGreaterThan(first);
  await expect(page.locator(".job")).toHaveAttribute("aria-busy", "false", { timeout: 60_000 });
  await page.reload();
  await expect(page.locator(".film li button").first()).toBeVisible();
  await page.locator(".exports-choose select").selectOption("shopify");
  await page.locator(".exports-choose button").click();
  await expect(page.locator(".export-made .gates li").first()).toBeVisible({ timeout: 30_000 });
  await expect(page.locator(".export-made a[download]")).toBeVisible();
  expect(complaints).toEqual([]);
});

test("what is no picture is refused with the reason", async ({ page }) => {
  await page.goto("/studio");
  await page.locator("[data-testid=studio-photo]").setInputFiles({ name: "note.jpg", mimeType: "image/jpeg", buffer: Buffer.from("<html>not a picture</html>") });
  await expect(page.locator(".studio-begin .trouble")).toBeVisible();
});
